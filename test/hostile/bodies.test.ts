import assert from 'node:assert/strict'
import { assault } from './assault.ts'

const MAX_GROWTH_MIB = 250

assault('Bodies: 500 half-sent ones and 300 slow headers hold up nobody, and are not kept', {
  attack: 'bodies',
  leastSeconds: 30,
  atLeast: { connected: 800 },
  assertFigures({ grownMib }) {
    assert.ok(grownMib < MAX_GROWTH_MIB, `the product grew by ${Math.round(grownMib)} MiB`)
  },
})

assault('Bodies: whole ones of 2 MB, in the shapes that cost the most to parse, hold up nobody', {
  attack: 'wholeBodies',
  atLeast: { 'whole 400': 50 },
})
