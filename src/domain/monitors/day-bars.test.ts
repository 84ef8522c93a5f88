import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type BarState,
  CODES,
  dayBars,
  type History,
  localDays,
  publishedBars,
  uptimeOf,
} from './day-bars.ts'
import type { MonitorState } from './monitor.ts'
import { type StateSpan, uptime } from './uptime.ts'

const NOW = new Date('2026-11-14T13:31:05Z')
const HOUR_MS = 3_600_000
const hours = (ago: number) => new Date(NOW.getTime() - ago * HOUR_MS)
const NOTHING: History = { spans: [], outside: [], windows: [] }

test('localDays: the last one is today in the zone and ends now', () => {
  const days = localDays('Pacific/Auckland', 3, NOW)
  assert.deepEqual(
    days.map(({ date }) => date),
    ['2026-11-13', '2026-11-14', '2026-11-15'],
  )
  assert.equal(days[2]?.from.toISOString(), '2026-11-14T11:00:00.000Z')
  assert.equal(days[2]?.to, NOW)
})

test('localDays: days touch each other, and those of clock changes have 23 and 25 hours', () => {
  const days = localDays('Europe/Berlin', 365, NOW)
  for (const [index, day] of days.slice(1).entries())
    assert.equal(day.from.getTime(), days[index]?.to.getTime(), day.date)
  const hoursOf = (date: string) => {
    const day = days.find((each) => each.date === date)
    return day && (day.to.getTime() - day.from.getTime()) / HOUR_MS
  }
  assert.equal(hoursOf('2026-03-29'), 23)
  assert.equal(hoursOf('2026-10-25'), 25)
  assert.equal(hoursOf('2026-10-26'), 24)
})

test('localDays: a day that begins at one because midnight was skipped', () => {
  const [day] = localDays('America/Sao_Paulo', 1, new Date('2018-11-04T12:00:00Z'))
  assert.equal(day?.from.toISOString(), '2018-11-04T03:00:00.000Z')
})

// Three whole days: the fourth begins now.
const FOUR_DAYS = localDays('UTC', 4, new Date('2026-11-15T00:00:00Z'))
const DAY_MS = 24 * HOUR_MS
// biome-ignore format: a table is read by its columns
const uptimes: [why: string, upMs: number, downMs: number, ratio: number | null][] = [
  ['all measured',        3 * DAY_MS, 0,          1],
  ['half measured',       DAY_MS,     DAY_MS / 2, 2 / 3],
  ['less than half',      DAY_MS,     DAY_MS / 3, null],
  ['nothing measured',    0,          0,          null],
  ['down all the time',   0,          3 * DAY_MS, 0],
]
for (const [why, upMs, downMs, ratio] of uptimes)
  test(`the uptime of a page's days: ${why}`, () => {
    assert.equal(uptimeOf({ codes: '', bad: [], upMs, downMs }, FOUR_DAYS), ratio)
  })

type Row = [what: string, history: Partial<History>, state: BarState]
const span = (state: MonitorState, from: number, to: number | null): StateSpan => ({
  state,
  from: hours(from),
  to: to === null ? null : hours(to),
})

// All within the day that ends now, in UTC.
const rows: Row[] = [
  ['nothing measured', {}, 'NONE'],
  ['up', { spans: [span('UP', 5, null)] }, 'UP'],
  ['pending', { spans: [span('PENDING', 5, null)] }, 'NONE'],
  ['paused', { spans: [span('PAUSED', 5, null)] }, 'NONE'],
  ['slow for a while', { spans: [span('UP', 5, 3), span('DEGRADED', 3, 2)] }, 'DEGRADED'],
  ['down and slow', { spans: [span('DOWN', 5, 4), span('DEGRADED', 4, null)] }, 'DOWN'],
  [
    'down only inside a window',
    {
      spans: [span('UP', 5, 4), span('DOWN', 4, 3), span('UP', 3, null)],
      outside: [{ from: hours(4), to: hours(3) }],
      windows: [{ id: 'mw_1', from: hours(4), to: hours(3) }],
    },
    'MAINTENANCE',
  ],
  [
    'down only while nobody looked',
    {
      spans: [span('UP', 5, 4), span('DOWN', 4, 3), span('UP', 3, null)],
      outside: [{ from: hours(4), to: hours(3) }],
    },
    'UP',
  ],
]

for (const [what, history, state] of rows) {
  test(`dayBars: ${what} -> ${state}`, () => {
    const days = localDays('UTC', 2, NOW)
    const { codes, bad } = dayBars(days, { ...NOTHING, ...history }, [])
    assert.equal(codes, `-${CODES[state]}`)
    assert.equal(bad.length, state === 'UP' || state === 'NONE' ? 0 : 1)
  })
}

test('dayBars: a bad day leads to the published incident that is as bad, else to its window', () => {
  const days = localDays('UTC', 1, NOW)
  const history = {
    ...NOTHING,
    spans: [span('DOWN', 5, 4), span('UP', 4, null)],
    windows: [{ id: 'mw_1', from: hours(3), to: hours(2) }],
  }
  const published = [
    { id: 'sin_slow', state: 'DEGRADED' as const, from: hours(6), to: hours(5) },
    { id: 'sin_down', state: 'DOWN' as const, from: hours(5), to: hours(4) },
  ]
  const reasonOf = (...args: Parameters<typeof dayBars>) => dayBars(...args).bad[0]?.reason
  assert.deepEqual(reasonOf(days, history, published), { kind: 'INCIDENT', id: 'sin_down' })
  assert.equal(reasonOf(days, history, []), null)
  assert.deepEqual(reasonOf(days, { ...history, spans: [] }, []), { kind: 'WINDOW', id: 'mw_1' })
})

test('dayBars: an incident over several days marks each of them', () => {
  const days = localDays('UTC', 5, NOW)
  const published = [{ id: 'sin_1', state: 'DOWN' as const, from: hours(60), to: hours(20) }]
  const { codes } = dayBars(days, { ...NOTHING, spans: [span('UP', 500, null)] }, published)
  assert.equal(codes, 'uuxxu')
})

test('toldBars: without a monitor days are good since the page exists, but for what was published', () => {
  const days = localDays('UTC', 5, NOW)
  const published = [{ id: 'sin_1', state: 'DEGRADED' as const, from: hours(26), to: hours(25) }]
  assert.equal(publishedBars(days, published, hours(60)).codes, '--udu')
  assert.equal(publishedBars(days, [], NOW).codes, '-----')
})

const STATES: readonly MonitorState[] = ['UP', 'DEGRADED', 'DOWN', 'PENDING', 'PAUSED']
const lengths = fc.array(
  fc.record({
    minutes: fc.integer({ min: 1, max: 5000 }),
    state: fc.constantFrom(...STATES),
  }),
  { maxLength: 40 },
)
const holes = fc.array(
  fc.record({
    ago: fc.integer({ min: 0, max: 40_000 }),
    minutes: fc.integer({ min: 1, max: 3000 }),
  }),
  { maxLength: 5 },
)

test('dayBars: over any history its days add up to the uptime of the whole', () => {
  const minutes = (ago: number) => new Date(NOW.getTime() - ago * 60_000)
  fc.assert(
    fc.property(lengths, holes, fc.constantFrom('UTC', 'Europe/Berlin'), (parts, gaps, zone) => {
      const days = localDays(zone, 30, NOW)
      const spans: StateSpan[] = []
      let at = parts.reduce((sum, part) => sum + part.minutes, 0)
      for (const { minutes: length, state } of parts) {
        spans.push({ state, from: minutes(at), to: at === length ? null : minutes(at - length) })
        at -= length
      }
      const outside = gaps.map((gap) => ({
        from: minutes(gap.ago + gap.minutes),
        to: minutes(gap.ago),
      }))
      const bars = dayBars(days, { spans, outside, windows: [] }, [])
      const within = { from: days[0]?.from ?? NOW, to: NOW }
      const whole = uptime(spans, outside, within)
      assert.equal(bars.upMs, whole.upMs)
      assert.equal(bars.downMs, whole.downMs)
      assert.equal(bars.codes.length, 30)
    }),
    { numRuns: 500 },
  )
})
