import assert from 'node:assert/strict'
import { env } from 'node:process'
import { test } from 'node:test'
import fc from 'fast-check'
import type { MonitorState } from './monitor.ts'
import {
  coversPeriod,
  gapOf,
  type Interval,
  measuredFrom,
  type StateSpan,
  shownRatio,
  uptime,
} from './uptime.ts'

const RUNS = Number(env['RUNS'] ?? 10_000)
const T0 = Date.UTC(2026, 10, 14)
const at = (second: number) => new Date(T0 + second * 1000)
const between = (from: number, to: number): Interval => ({ from: at(from), to: at(to) })
const DAY = between(0, 1000)

// One letter per hundred seconds: U up, D down, S slow, P pending, X paused.
const STATES: Record<string, MonitorState> = {
  U: 'UP',
  D: 'DOWN',
  S: 'DEGRADED',
  P: 'PENDING',
  X: 'PAUSED',
}
function spansOf(letters: string): StateSpan[] {
  return [...letters].map((letter, i) => ({
    state: STATES[letter] ?? 'UP',
    from: at(i * 100),
    to: i === letters.length - 1 ? null : at((i + 1) * 100),
  }))
}

// biome-ignore format: a table is read by its columns
const rows: [why: string, letters: string, outside: Interval[], ratio: number | null][] = [
  ['never a failure',                       'UUUUUUUUUU', [],                   1],
  ['down all the time',                     'DDDDDDDDDD', [],                   0],
  ['half and half',                         'UUUUUDDDDD', [],                   0.5],
  ['slow is up',                            'SSSSSDDDDD', [],                   0.5],
  ['pending is outside',                    'PPUUUUDDDD', [],                   0.5],
  ['paused is outside, not downtime',       'UXXXXXXXXD', [],                   0.5],
  ['nothing measured is not zero',          'PPPPPXXXXX', [],                   null],
  ['no history',                            '',           [],                   null],
  ['maintenance is outside',                'UUUUUDDDDD', [between(500, 1000)], 1],
  ['maintenance over a part of an outage',  'UUUUUDDDDD', [between(500, 750)],  500 / 750],
  ['maintenance while up',                  'UUUUUDDDDD', [between(0, 250)],    250 / 750],
  ['two windows that overlap, once',        'UUUUUDDDDD', [between(500, 800), between(700, 900)], 500 / 600],
  ['one window inside another',             'UUUUUDDDDD', [between(500, 900), between(600, 700)], 500 / 600],
  ['the window reaches beyond the time',    'UUUUUDDDDD', [between(-500, 250), between(750, 5000)], 0.5],
  ['all of it in maintenance',              'UUUUUDDDDD', [between(-1, 1001)],  null],
  ['the open span ends with the time',      'UD',         [],                   0.1],
]
for (const [why, letters, outside, ratio] of rows) {
  test(`uptime: ${why}`, () => {
    assert.equal(uptime(spansOf(letters), outside, DAY).ratio, ratio)
  })
}

test('spans outside the asked time do not count', () => {
  assert.equal(uptime(spansOf('DDDDDUUUUU'), [], between(500, 600)).ratio, 1)
  assert.equal(uptime(spansOf('DDDDDUUUUU'), [], between(450, 550)).ratio, 0.5)
})

// biome-ignore format: a table is read by its columns
const begins: [why: string, letters: string, second: number | null][] = [
  ['from the start',                 'UUUUUUUUUU', 0],
  ['after the first result',         'PPUUUUUUUU', 200],
  ['an outage is measured too',      'PXDUUUUUUU', 200],
  ['degraded is measured too',       'PSUUUUUUUU', 100],
  ['paused later changes nothing',   'PUXXXXXXXX', 100],
  ['never',                          'PPPPPXXXXX', null],
  ['no history',                     '',           null],
]
for (const [why, letters, second] of begins)
  test(`measuring began: ${why}`, () => {
    assert.deepEqual(measuredFrom(spansOf(letters), DAY), second === null ? null : at(second))
  })

test('measuring began within the asked time, not before it', () => {
  assert.deepEqual(measuredFrom(spansOf('UUUUUUUUUU'), between(450, 1000)), at(450))
  assert.deepEqual(measuredFrom(spansOf('UUXXXXXXXU'), between(450, 1000)), at(900))
})

// biome-ignore format: a table is read by its columns
const covered: [measuredMs: number, periodMs: number, enough: boolean][] = [
  [0,   100, false],
  [49,  100, false],
  [50,  100, true], // half of it
  [100, 100, true],
  [0,   0,   false],
]
for (const [measuredMs, periodMs, enough] of covered)
  test(`${measuredMs} of ${periodMs} measured is ${enough ? 'enough' : 'too little'} to show`, () => {
    assert.equal(coversPeriod(measuredMs, periodMs), enough)
  })

// biome-ignore format: a table is read by its columns
const shown: [why: string, letters: string, ratio: number | null][] = [
  ['all of it measured',   'UUUUUDDDDD', 0.5],
  ['half of it measured',  'PPPPPUUUUU', 1],
  ['less than half',       'PPPPPPUUUU', null],
  ['nothing',              'PPPPPPPPPP', null],
]
for (const [why, letters, ratio] of shown)
  test(`uptime that is shown: ${why}`, () => {
    assert.equal(shownRatio(uptime(spansOf(letters), [], DAY), DAY), ratio)
  })

// biome-ignore format: a table is read by its columns
const gaps: [reason: string, gap: Interval | undefined][] = [
  ['ENGINE_DOWN',  between(60, 240)], // slots 60, 120 and 180: known again at 240
  ['NO_PROBE',     between(60, 240)],
  ['ORG_CAP',      between(60, 240)],
  ['SUBSCRIPTION', between(60, 240)],
  ['OVERLAP',      undefined],
]
for (const [reason, gap] of gaps) {
  test(`slots missed for ${reason} ${gap ? 'leave the time until the next slot unknown' : 'leave nothing unknown'}`, () => {
    assert.deepEqual(gapOf({ fromSlot: at(60), toSlot: at(180), reason }, 60), gap)
  })
}

const LENGTH = 120

// Decides for each second separately how it counts.
function bruteForce(spans: readonly StateSpan[], outside: readonly Interval[]): number | null {
  let up = 0
  let down = 0
  for (let second = 0; second < LENGTH; second++) {
    const now = at(second)
    if (outside.some(({ from, to }) => from <= now && now < to)) continue
    const state = spans.find(({ from, to }) => from <= now && (to === null || now < to))?.state
    if (state === 'UP' || state === 'DEGRADED') up++
    if (state === 'DOWN') down++
  }
  return up + down === 0 ? null : up / (up + down)
}

test('agrees with asking every second on its own', () => {
  const second = fc.integer({ min: -50, max: LENGTH + 50 })
  const states = fc.constantFrom<MonitorState>('UP', 'DOWN', 'DEGRADED', 'PENDING', 'PAUSED')
  const changes = fc.uniqueArray(fc.tuple(second, states), { maxLength: 12, selector: ([s]) => s })
  const holes = fc.array(fc.tuple(second, second), { maxLength: 6 })
  fc.assert(
    fc.property(changes, holes, (unordered, pairs) => {
      const ordered = unordered.toSorted(([a], [b]) => a - b)
      const spans = ordered.map(([from, state], i): StateSpan => {
        const next = ordered[i + 1]
        return { state, from: at(from), to: next ? at(next[0]) : null }
      })
      const outside = pairs.map(([a, b]) => between(Math.min(a, b), Math.max(a, b)))
      const { ratio } = uptime(spans, outside, between(0, LENGTH))
      const expected = bruteForce(spans, outside)
      if (expected === null) return assert.equal(ratio, null)
      return assert.ok(ratio !== null && Math.abs(ratio - expected) < 1e-9)
    }),
    { numRuns: RUNS },
  )
})
