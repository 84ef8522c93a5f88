import assert from 'node:assert/strict'
import { assault } from './assault.ts'

const MAX_GROWTH_MIB = 250

assault('Bodies: 500 half-sent ones and 300 slow headers hold up nobody, and are not kept', {
  attack: 'bodies',
  atLeast: { connected: 800 },
  assertFigures({ grownMib }) {
    assert.ok(grownMib < MAX_GROWTH_MIB, `the product grew by ${Math.round(grownMib)} MiB`)
  },
})
