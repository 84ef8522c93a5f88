// Replays of written histories: what other settings change, and that the same settings change nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { finish } from '../../../test/kit/finish.ts'
import type { Verdict } from '../monitors/verdict.ts'
import { applyResult, type CheckResult, type MonitorSnapshot } from './apply-result.ts'
import {
  knownIncidents,
  type RecordedChange,
  type RecordedIncident,
  type RecordedResult,
  type ReplayHistory,
  type ReplaySettings,
} from './recorded-result.ts'
import { replay } from './replay.ts'
import { compareIncidents } from './replay-comparison.ts'

const START_MS = Date.parse('2026-11-14T12:00:00Z')
const MINUTE_MS = 60_000
const minute = (count: number) => new Date(START_MS + count * MINUTE_MS)
const SETTINGS: ReplaySettings = {
  type: 'HTTP',
  degradedThresholdMs: 1000,
  degradedThresholdMode: 'LAST',
  degradedSamples: 2,
  expectedStatus: null,
}

/** `+200` passed in 200 ms, `!` failed, `503` failed by this status, `?` undecided; one each minute. */
function resultsOf(text: string): RecordedResult[] {
  return text.split(' ').map((word, at) => ({
    at: minute(at),
    verdict: word === '?' ? 'INCONCLUSIVE' : word.startsWith('+') ? 'PASSED' : 'FAILED',
    responseMs: word.startsWith('+') ? Number(word.slice(1)) : null,
    httpStatus: word.startsWith('+') ? 200 : word === '!' || word === '?' ? null : Number(word),
    regionNo: 1,
    causeCode:
      word === '!' ? 'TIMEOUT' : word.startsWith('+') || word === '?' ? null : 'UNEXPECTED_STATUS',
  }))
}

const historyOf = (text: string, fields: Partial<ReplayHistory> = {}): ReplayHistory => ({
  from: minute(0),
  to: minute(60),
  state: 'PENDING',
  results: resultsOf(text),
  changes: [],
  incidents: [],
  maintenance: [],
  ...fields,
})

/** `2-4`: the minutes of each incident; `2-` is open. */
function incidentsOf(history: ReplayHistory, settings: Partial<ReplaySettings> = {}): string[] {
  const { incidents } = finish(replay(history, { ...SETTINGS, ...settings }))
  const at = (date: Date) => String(Math.floor((date.getTime() - START_MS) / MINUTE_MS))
  return incidents.map(({ startedAt, resolvedAt, resolution }) => {
    const how = resolution === null || resolution === 'RECOVERED' ? '' : ` ${resolution}`
    return `${at(startedAt)}-${resolvedAt ? at(resolvedAt) : ''}${how}`
  })
}

const pause = (at: number): RecordedChange => ({ at: minute(at), state: 'PAUSED' })
const resume = (at: number): RecordedChange => ({ at: minute(at), state: 'PENDING' })

// biome-ignore format: a table is read by its rows
const STORIES: [what: string, text: string, fields: Partial<ReplayHistory>, settings: Partial<ReplaySettings>, expected: string[]][] = [
  ['an outage',                  '+9 +9 ! ! +9 !',       {},                                              {}, ['2-4', '5-']],
  ['undecided checks',           '+9 ! ? +9 ?',          {},                                              {}, ['1-3']],
  ['a pause closes it',            '+9 ! ! + +9',          { changes: [pause(3), resume(4)] },              {}, ['1-3 MONITOR_PAUSED']],
  ['a change of type closes it',   '+9 ! ! +9',            { changes: [resume(3)] },                        {}, ['1-3 MONITOR_CHANGED']],
  ['a maintenance window',       '+9 ! ! ! +9',          { maintenance: [{ from: minute(1), to: minute(3) }] }, {}, ['3-4']],
  ['a window over the outage',   '+9 ! ! ! +9',          { maintenance: [{ from: minute(1), to: minute(9) }] }, {}, []],
  ['two windows that overlap',   '+9 ! ! ! +9',          { maintenance: [{ from: minute(1), to: minute(3) }, { from: minute(2), to: minute(4) }] }, {}, []],
  ['a status that is accepted',  '+9 503 503 +9',        {},                                              { expectedStatus: [200, 503] }, []],
  ['only that status',           '+9 503 ! +9',          {},                                              { expectedStatus: [200, 503] }, ['2-3']],
  ['a keyword is not guessed',   '+9 503 +9',            {},                                              { type: 'KEYWORD', expectedStatus: [200, 503] }, ['1-2']],
  ['a status that is refused',   '+9 +9 503',            {},                                              { expectedStatus: [204] }, ['0-']],
  ['statuses of other types',    '+9 +9',                {},                                              { type: 'PORT', expectedStatus: [204] }, []],
  ['slowness is no incident',    '+9 +2000 +2000 +9',    {},                                              {}, []],
]
for (const [what, text, fields, settings, expected] of STORIES)
  test(`replay: ${what}`, () => {
    assert.deepEqual(incidentsOf(historyOf(text, fields), settings), expected)
  })

// biome-ignore format: a table is read by its rows
const DEGRADED: [text: string, settings: Partial<ReplaySettings>, fields: Partial<ReplayHistory>, count: number][] = [
  ['+9 +2000 +2000 +9',                {},                              {},                                                 1],
  ['+9 +2000 +2000 +9',                { degradedThresholdMs: 3000 },   {},                                                 0],
  ['+9 +2000 +2000 +9',                { degradedThresholdMs: null },   {},                                                 0],
  ['+9 +2000 +9 +2000 +9',             { degradedSamples: 1 },          {},                                                 2],
  ['+2000 +2000 ! +2000 +2000 +9',     {},                              {},                                                 2],
  ['+2000 +2000 +2000 +9',             {},                              { changes: [resume(2)] },                           1],
  ['+9 +2000 +2000 +9',                {},                              { maintenance: [{ from: minute(0), to: minute(9) }] }, 0],
]
for (const [text, settings, fields, count] of DEGRADED)
  test(`degradations of ${text} with ${JSON.stringify(settings)}`, () => {
    const { degradations } = finish(replay(historyOf(text, fields), { ...SETTINGS, ...settings }))
    assert.equal(degradations.length, count)
  })

test('an incident that was open at the beginning goes on', () => {
  const open: RecordedIncident = {
    uuid: 'a',
    startedAt: minute(-30),
    resolvedAt: minute(2),
    resolution: 'RECOVERED',
    causeCode: 'TIMEOUT',
    acknowledgedAt: null,
  }
  const history = historyOf('! ! +9 +9', { state: 'DOWN', incidents: [open] })
  assert.deepEqual(incidentsOf(history), ['-30-2'])
  const { incidents } = finish(replay(history, SETTINGS))
  assert.deepEqual(
    compareIncidents([open], incidents).map(({ change }) => change),
    ['SAME'],
  )
})

test('compareIncidents: same, changed, new and gone', () => {
  const recorded = (uuid: string, from: number, to: number | null): RecordedIncident => ({
    uuid,
    startedAt: minute(from),
    resolvedAt: to === null ? null : minute(to),
    resolution: to === null ? null : 'RECOVERED',
    causeCode: 'UNEXPECTED_STATUS',
    acknowledgedAt: null,
  })
  const incidents = [recorded('a', 1, 2), recorded('b', 3, 5), recorded('c', 6, 7)]
  const history = historyOf('+9 ! +9 503 ! +9 503 +9', { incidents })
  const { incidents: replayed } = finish(
    replay(history, { ...SETTINGS, expectedStatus: [200, 503] }),
  )
  const compared = compareIncidents(incidents, replayed)
  assert.deepEqual(
    compared.map(({ change, recordedUuid }) => [change, recordedUuid]),
    [
      ['SAME', 'a'],
      ['GONE', 'b'],
      ['NEW', null],
      ['GONE', 'c'],
    ],
  )
})

test('knownIncidents: what was recorded meanwhile is left out', () => {
  const incident: RecordedIncident = {
    uuid: 'a',
    startedAt: new Date(minute(2).getTime() + 5),
    resolvedAt: null,
    resolution: null,
    causeCode: 'TIMEOUT',
    acknowledgedAt: null,
  }
  assert.deepEqual(knownIncidents(resultsOf('+9 +9'), [incident]), [], 'its check is not there yet')
  assert.deepEqual(knownIncidents(resultsOf('+9 +9 !'), [incident]), [incident])
  const ended = { ...incident, resolvedAt: minute(3), resolution: 'RECOVERED' as const }
  assert.deepEqual(knownIncidents(resultsOf('+9 +9 !'), [ended]), [incident])
  assert.deepEqual(knownIncidents([], [incident]), [incident])
})

/** Lives through random checks with the engine's own function and keeps what would be stored. */
function record(steps: readonly { what: Verdict | 'PAUSE'; ms: number; jitterMs: number }[]) {
  let snapshot: MonitorSnapshot = { ...FIRST }
  const results: RecordedResult[] = []
  const changes: RecordedChange[] = []
  const incidents: RecordedIncident[] = []
  const close = (resolvedAt: Date, resolution: 'RECOVERED' | 'MONITOR_PAUSED') => {
    const last = incidents.at(-1)
    if (last?.resolvedAt === null)
      incidents[incidents.length - 1] = { ...last, resolvedAt, resolution }
  }
  for (const [at, { what, ms, jitterMs }] of steps.entries()) {
    if (what === 'PAUSE') {
      const pausedAt = new Date(minute(at).getTime() + 7)
      close(pausedAt, 'MONITOR_PAUSED')
      changes.push(
        { at: pausedAt, state: 'PAUSED' },
        { at: new Date(pausedAt.getTime() + 1), state: 'PENDING' },
      )
      snapshot = {
        ...snapshot,
        state: 'PENDING',
        incident: null,
        samplesMs: [],
        epoch: snapshot.epoch + 1,
      }
      continue
    }
    const arrived = arrive(minute(at), what, { ms, jitterMs, epoch: snapshot.epoch })
    const { verdict, incident, snapshot: next } = applyResult(snapshot, arrived)
    const { responseMs, httpStatus, causeCode } = arrived.seen
    results.push({ at: minute(at), verdict, responseMs, httpStatus, regionNo: 1, causeCode })
    snapshot = { ...next }
    if (incident?.do === 'OPEN') {
      const { startedAt, causeCode: cause } = incident
      snapshot.incident = { uuid: 'x', lastCauseCode: cause, lastLineAt: startedAt }
      const open = { startedAt, resolvedAt: null, resolution: null, acknowledgedAt: null }
      incidents.push({ uuid: `i${incidents.length}`, causeCode: cause, ...open })
    }
    if (incident?.do === 'RESOLVE') {
      snapshot.incident = null
      close(incident.resolvedAt, 'RECOVERED')
    }
  }
  return { results, changes, incidents }
}

const FIRST: MonitorSnapshot = {
  ...SETTINGS,
  dnsAlertOnChange: false,
  sslExpiryThresholdDays: 2,
  state: 'PENDING',
  epoch: 0,
  nextDueAt: null,
  lastCheckedAt: null,
  lastStatusChangedAt: null,
  lastResponseMs: null,
  certExpiresAt: null,
  heartbeat: null,
  lastSlot: null,
  samplesMs: [],
  samplesRegion: null,
  dnsBaseline: null,
  expiryToldFor: null,
  domainExpiresAt: null,
  issuer: null,
  incident: null,
  maintenance: [],
}

function arrive(
  slot: Date,
  what: Verdict,
  { ms, jitterMs, epoch }: { ms: number; jitterMs: number; epoch: number },
): CheckResult {
  const beganAt = new Date(slot.getTime() + jitterMs)
  const isFailed = what === 'FAILED'
  const responseMs = what === 'PASSED' || what === 'SLOW' ? ms : null
  const failure = { cause: 'TIMEOUT', bytesSent: false, controlReached: null }
  const outcome: CheckResult['outcome'] = isFailed
    ? { result: 'FAILED', failure, failedSince: beganAt }
    : what === 'INCONCLUSIVE'
      ? { result: 'INCONCLUSIVE', reason: 'x' }
      : { result: 'OK', responseMs: ms, sampled: true }
  return {
    kind: 'SCHEDULED',
    slot,
    epoch,
    regionNo: 1,
    beganAt,
    endedAt: new Date(beganAt.getTime() + ms),
    outcome,
    seen: {
      causeCode: isFailed ? 'TIMEOUT' : null,
      cause: isFailed ? 'Timeout' : null,
      responseMs,
      httpStatus: responseMs === null ? null : 200,
      certExpiresAt: null,
      domainExpiresAt: null,
      dnsAnswers: null,
    },
  }
}

const KINDS: (Verdict | 'PAUSE')[] = [
  'PASSED',
  'PASSED',
  'FAILED',
  'FAILED',
  'INCONCLUSIVE',
  'PAUSE',
]

test('any history: the same settings give the same incidents, to the millisecond', () => {
  const step = fc.record({
    what: fc.constantFrom(...KINDS),
    ms: fc.integer({ min: 1, max: 3000 }),
    jitterMs: fc.integer({ min: 0, max: 400 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { results, changes, incidents } = record(steps)
      const history = historyOf('+1', { results, changes, incidents })
      const replayed = finish(replay(history, SETTINGS)).incidents
      const plain = ({
        startedAt,
        resolvedAt,
        resolution,
        causeCode,
      }: (typeof replayed)[number]) => {
        return { startedAt, resolvedAt, resolution, causeCode }
      }
      assert.deepEqual(
        replayed.map(plain),
        incidents.map((one) => plain({ ...one, recordedUuid: one.uuid })),
      )
    }),
  )
})
