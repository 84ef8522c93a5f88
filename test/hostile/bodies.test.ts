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

assault(
  'Bodies: whole ones as large as is accepted, in the shapes that cost the most, hold up nobody',
  {
    attack: 'wholeBodies',
    // As for calendars: each of these requests is as expensive as one may be.
    bounds: { maxP99Ms: 250, maxLivezMs: 200, timesQuiet: 10, allowedP99Ms: 200 },
    atLeast: { 'whole 400': 50, 'body read': 50 },
    assertFigures(_figures, tally) {
      const [read = 0, unread = 0] = [tally['body read'], tally['body unread']]
      assert.ok(read > 4 * unread, `${read} were parsed, ${unread} were not`)
    },
  },
)
