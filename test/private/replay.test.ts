// replayMonitor: recorded and replayed incidents and alerts side by side, its bounds, and nobody else's monitors.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { toUuid } from '../kit/ids.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { createTeam, type Team } from './screens.ts'

const CHECKS = 60

type Totals = { incidents: number; downSeconds: number; degradations: number; alerts: number }
type Replay = {
  checks: number
  complete: boolean
  settings: Record<string, unknown>
  current: Totals
  replayed: Totals
  incidents: { change: string; incidentId: string | null; resolution: string | null }[]
  alerts: { kind: string; contactName: string }[]
}

let fixture: AppFixture
before(async () => {
  fixture = await startAppFixture()
  await fixture.db.run('select ensure_partitions(current_date - 1, 3)')
})
after(() => fixture.stop())

const pathOf = (team: Team, path: string) => `/organizations/${team.orgId}${path}`

// Three of a month at once take a minute on slow cores that other tests share. No promise: a guard against hanging.
const REPLAY_TIMEOUT_MS = 150_000

/** An hour of checks, one a minute: slow from minute 10 to 14, failing with 503 from minute 30 to 34. */
async function open() {
  const team = await createTeam(fixture)
  await team.owner.post(pathOf(team, '/alert-contacts'), {
    name: 'Ops',
    channel: 'SLACK',
    settings: { url: 'https://hooks.example.com/x' },
  })
  const { id } = await team.createMonitor({
    name: 'Shop',
    type: 'HTTP',
    url: 'https://shop.example.com/',
    degradedThresholdMs: 5000,
    degradedThresholdMode: 'LAST',
    degradedSamples: 3,
  })
  const uuid = toUuid(id)
  await fixture.db.run(
    `update state_spans set started_at = started_at - interval '1 day'
      where monitor_no = (select no from monitors where id = $1)`,
    [uuid],
  )
  await fixture.db.run(
    `insert into results (monitor_no, slot, kind, verdict, response_ms, status_code, detail)
     select m.no, now() - interval '1 hour' + make_interval(mins => n), 0,
            case when n between 30 and 34 then 2 else 0 end,
            case when n between 30 and 34 then null when n between 10 and 14 then 900 else 100 end,
            case when n between 30 and 34 then 503 else 200 end,
            case when n between 30 and 34 then $2::integer end
       from monitors m, generate_series(0, $3::integer - 1) n where m.id = $1`,
    [uuid, UNEXPECTED_STATUS, CHECKS],
  )
  await fixture.db.run(
    `insert into incidents (id, org_id, monitor_id, started_at, resolved_at, resolution, cause, cause_code)
     select new_uuid(), org_id, id, now() - interval '30 minutes' + interval '50 milliseconds',
            now() - interval '25 minutes' + interval '90 milliseconds', 'RECOVERED', 'HTTP 503', 'UNEXPECTED_STATUS'
       from monitors where id = $1`,
    [uuid],
  )
  const replay = (query = '', who = team.reader) =>
    who.get(pathOf(team, `/monitors/${id}/replay${query}`), { timeoutMs: REPLAY_TIMEOUT_MS })
  return { team, monitorId: id, replay }
}

// No phase was measured, and the eleventh cause.
const UNEXPECTED_STATUS = 255 | (255 << 8) | (255 << 16) | (11 << 24)

async function read(asked: Promise<{ status: number; text: string; json: unknown }>) {
  const answer = await asked
  assert.equal(answer.status, 200, answer.text)
  return answer.json as Replay
}

test('the same settings: what was recorded, and the alerts that the contacts get', async () => {
  const { replay } = await open()
  const found = await read(replay())
  assert.equal(found.checks, CHECKS)
  assert.equal(found.complete, true)
  assert.deepEqual(
    found.incidents.map(({ change, resolution }) => [change, resolution]),
    [['SAME', 'RECOVERED']],
  )
  assert.deepEqual(found.current, found.replayed)
  assert.deepEqual(found.current, { incidents: 1, downSeconds: 300, degradations: 0, alerts: 2 })
  assert.deepEqual(
    found.alerts.map(({ kind, contactName }) => `${kind} ${contactName}`),
    ['RECOVERED Ops', 'DOWN Ops'],
  )
})

// biome-ignore format: a table is read by its columns
const SETTINGS: [query: string, replayed: Partial<Totals>, changes: string[]][] = [
  ['?degradedThresholdMs=500',                       { degradations: 1, alerts: 4 },   ['SAME']],
  ['?degradedThresholdMs=0',                         { degradations: 0, alerts: 2 },   ['SAME']],
  ['?degradedThresholdMs=500&degradedSamples=6',     { degradations: 0 },              ['SAME']],
  ['?expectedStatus=200,503',                        { incidents: 0, alerts: 0 },      ['GONE']],
  ['?expectedStatus=204',                            { incidents: 1, alerts: 1 },      ['GONE', 'NEW']],
  ['?delayMinutes=10',                               { incidents: 1, alerts: 0 },      ['SAME']],
  ['?delayMinutes=4',                                { incidents: 1, alerts: 2 },      ['SAME']],
]
test('other settings: what would have been', async () => {
  const { replay } = await open()
  for (const [query, expected, changes] of SETTINGS) {
    const found = await read(replay(query))
    const shown = Object.fromEntries(
      Object.keys(expected).map((name) => [name, found.replayed[name as keyof Totals]]),
    )
    assert.deepEqual(shown, expected, query)
    const own = found.incidents.map(({ change }) => change)
    assert.deepEqual(own.toSorted(), changes.toSorted(), query)
    assert.equal(found.current.incidents, 1, query)
  }
})

test('what is refused', async () => {
  const { team, monitorId, replay } = await open()
  const bad = [
    'days=0',
    'days=31',
    'degradedSamples=0',
    'degradedThresholdMs=60001',
    'delayMinutes=61',
  ]
  for (const query of [
    ...bad,
    'degradedThresholdMode=MAX',
    'expectedStatus=20x',
    'expectedStatus=700',
  ])
    assert.equal((await replay(`?${query}`)).code, 'validation_error', query)
  const many = Array.from({ length: 101 }, () => '200').join(',')
  assert.equal((await replay(`?expectedStatus=${many}`)).code, 'validation_error')
  const other = await createTeam(fixture)
  assert.equal((await other.owner.get(pathOf(other, `/monitors/${monitorId}/replay`))).status, 404)
  assert.equal((await team.owner.get(pathOf(team, '/monitors/mon_x/replay'))).status, 404)
})

test('30 a minute for an organization', async () => {
  const { replay } = await open()
  const codes: number[] = []
  for (let count = 0; count < 32; count++) codes.push((await replay('?days=1')).status)
  assert.equal(codes.filter((status) => status === 200).length, 30)
  assert.deepEqual(codes.slice(30), [429, 429])
})

const MONTH_CHECKS = 86_400

test('a month of checks every 30 s, three times at once: all are replayed, and others are served meanwhile', async (t) => {
  const { monitorId, replay, team } = await open()
  await fixture.db.run('select ensure_partitions(current_date - 31, 32)')
  await fixture.db.run(
    `insert into results (monitor_no, slot, kind, verdict, response_ms, status_code)
     select no, now() - interval '30 days' + interval '1 hour' + make_interval(secs => 30 * n), 0, 0, 80 + n * 7919 % 400, 200
       from monitors, generate_series(0, $2::integer - 400) n where id = $1 on conflict do nothing`,
    [toUuid(monitorId), MONTH_CHECKS],
  )
  const beganMs = performance.now()
  let isOver = false
  const query = '?degradedThresholdMs=400&degradedThresholdMode=P95'
  const replays = Promise.all([1, 2, 3].map(() => read(replay(query)))).finally(() => {
    isOver = true
  })
  const waitsMs: number[] = []
  while (!isOver) {
    const askedMs = performance.now()
    assert.equal((await team.owner.get(pathOf(team, '/tags'))).status, 200)
    waitsMs.push(performance.now() - askedMs)
  }
  const found = await replays
  const tookMs = performance.now() - beganMs
  for (const { checks, replayed } of found) {
    assert.ok(checks > MONTH_CHECKS - 500)
    assert.ok(replayed.degradations > 10_000)
  }
  const slowestMs = Math.max(...waitsMs)
  t.diagnostic(`${tookMs.toFixed()} ms, slowest other request ${slowestMs.toFixed()} ms`)
  assert.ok(slowestMs < tookMs / 4, `${slowestMs} of ${tookMs} ms`)
})
