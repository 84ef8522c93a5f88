// Replay equals reality: with unchanged settings, a replay of 200 monitors' recorded results gives exactly the incidents
// that were recorded with them, through pauses, maintenance windows and undecided checks.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { finish } from '../../../test/kit/finish.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import type { CheckResult } from '../../domain/incidents/apply-result.ts'
import { replay } from '../../domain/incidents/replay.ts'
import { compareIncidents } from '../../domain/incidents/replay-comparison.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import {
  findRecordedIncidents,
  findRecordedResults,
  findRecordedStates,
} from '../../store/history/replay-results.ts'
import { createMonitor } from '../monitors/create.ts'
import { pauseMonitor } from '../monitors/pause.ts'
import { resumeMonitor } from '../monitors/resume.ts'
import { recordResults } from './record.ts'
import type { ResultWrite } from './result-batch.ts'

const MONITORS = 200
const CHECKS = 60
const INTERVAL_MS = 30_000
const HOUR_MS = 3_600_000

let fixture: DbFixture
let database: TestDatabase
let orgId: string
let monitors: Monitor[]

before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
  orgId = await database.createOrganization('UNLIMITED')
  await database.admin.query('select ensure_partitions(current_date - 1, 3)')
  monitors = []
  for (let n = 0; n < MONITORS; n++)
    monitors.push(
      await database.tenants.transaction(orgId, (tx) =>
        createMonitor(tx, sampleSettings({ name: `Monitor ${n}` })),
      ),
    )
  // They exist for longer than their checks.
  await database.admin.query(`update state_spans set started_at = started_at - interval '1 day'`)
})
after(() => fixture.stop())

/** The same sequence in every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

type Outcome = 'OK' | 'FAILED' | 'INCONCLUSIVE'

/** Outages last a few checks; now and then a check is undecided. */
function outcomes(random: () => number): Outcome[] {
  let isDown = false
  return Array.from({ length: CHECKS }, (): Outcome => {
    if (random() < (isDown ? 0.35 : 0.15)) isDown = !isDown
    if (random() < 0.05) return 'INCONCLUSIVE'
    return isDown ? 'FAILED' : 'OK'
  })
}

function toWrite(
  monitor: Monitor,
  slot: Date,
  outcome: Outcome,
  random: () => number,
): ResultWrite {
  const beganAt = new Date(slot.getTime() + Math.floor(random() * 300))
  const endedAt = new Date(beganAt.getTime() + 20 + Math.floor(random() * 3_000))
  const responseMs = outcome === 'OK' ? endedAt.getTime() - beganAt.getTime() : null
  const isFailed = outcome === 'FAILED'
  const seen: CheckResult['seen'] = {
    causeCode: isFailed ? (random() < 0.5 ? 'TIMEOUT' : 'UNEXPECTED_STATUS') : null,
    cause: isFailed ? 'It failed' : null,
    responseMs,
    httpStatus: outcome === 'OK' ? 200 : null,
    certExpiresAt: null,
    domainExpiresAt: null,
    dnsAnswers: null,
  }
  const failure = { cause: 'TIMEOUT', bytesSent: false, controlReached: null }
  const found: Record<Outcome, CheckResult['outcome']> = {
    OK: { result: 'OK', responseMs, sampled: true },
    FAILED: { result: 'FAILED', failure, failedSince: beganAt },
    INCONCLUSIVE: { result: 'INCONCLUSIVE', reason: 'NO_PROBE' },
  }
  const shared = {
    kind: 'SCHEDULED',
    slot,
    beganAt,
    endedAt,
    outcome: found[outcome],
    seen,
  } as const
  const evidence = {
    ...seen,
    checkedAt: endedAt,
    location: 'eu',
    outcome: isFailed ? ('FAILED' as const) : ('OK' as const),
    resolvedIp: null,
    timings: null,
    bodyExcerpt: null,
    attempts: [],
  }
  return {
    monitorNo: monitor.no,
    regionNo: null,
    resolve: ({ epoch }) => ({ result: { ...shared, epoch }, evidence: () => evidence }),
  }
}

async function live(some: readonly Monitor[], firstMs: number, seed: number): Promise<void> {
  const deps = { database: database.engine, secrets: new OrganizationSecrets(database.masterKeys) }
  const lives = some.map((monitor) => {
    const random = createRandom(seed * 10_000 + monitor.no)
    return { monitor, random, sequence: outcomes(random) }
  })
  for (let n = 0; n < CHECKS; n++) {
    const slot = new Date(firstMs + n * INTERVAL_MS)
    const writes = lives.map(({ monitor, random, sequence }) =>
      toWrite(monitor, slot, sequence[n] ?? 'OK', random),
    )
    await recordResults(deps, undefined, writes)
  }
}

async function readHistory(monitor: Monitor) {
  const tenant = database.tenants.of(orgId)
  const period = {
    from: new Date(Date.now() - 24 * HOUR_MS),
    to: new Date(Date.now() + 24 * HOUR_MS),
  }
  const { results, isComplete } = await findRecordedResults(tenant, monitor.uuid, period)
  assert.equal(isComplete, true)
  const within = { from: results[0]?.at ?? period.from, to: period.to }
  const incidents = await findRecordedIncidents(tenant, monitor.uuid, within)
  return {
    ...within,
    ...(await findRecordedStates(tenant, monitor.no, within)),
    results,
    incidents,
  }
}

test(`${MONITORS} monitors: the replay has exactly the recorded incidents`, async (t) => {
  const covered = monitors.slice(0, 60)
  const paused = monitors.slice(60, 120)
  const pastMs = Date.now() - (CHECKS + 10) * INTERVAL_MS
  const futureMs = Date.now() + HOUR_MS / 6
  // Between two slots: a check belongs to a window by its first attempt, of which only the slot is stored.
  const [from, to] = [10.5, 24.5].map((slots) => new Date(futureMs + slots * INTERVAL_MS))
  await database.admin.query(
    `insert into maintenance_spans (monitor_no, started_at, ended_at, window_id)
     select no, $2, $3, gen_random_uuid() from unnest($1::bigint[]) no`,
    [covered.map(({ no }) => no), from, to],
  )
  await live(monitors.slice(60), pastMs, 1)
  for (const { uuid } of paused) {
    await database.tenants.transaction(orgId, (tx) => pauseMonitor(tx, uuid))
    await database.tenants.transaction(orgId, (tx) => resumeMonitor(tx, uuid))
  }
  await live(monitors.slice(0, 160), futureMs, 2)

  const counts: Record<string, number> = { incidents: 0, open: 0, results: 0 }
  const count = (name: string, by = 1) => (counts[name] = (counts[name] ?? 0) + by)
  for (const monitor of monitors) {
    const history = await readHistory(monitor)
    const { incidents } = finish(replay(history, { ...monitor, expectedStatus: null }))
    const replayed = incidents.map(({ startedAt, resolvedAt, resolution, causeCode }) => {
      return { startedAt, resolvedAt, resolution, causeCode }
    })
    const { rows } = await database.admin.query(
      `select started_at as "startedAt", resolved_at as "resolvedAt", resolution, cause_code as "causeCode"
         from incidents where monitor_id = $1 order by started_at`,
      [monitor.uuid],
    )
    assert.deepEqual(replayed, rows, `monitor ${monitor.no}`)
    for (const { change } of compareIncidents(history.incidents, incidents)) count(change)
    for (const { resolution } of incidents) count(String(resolution))
    count('results', history.results.length)
    count('incidents', rows.length)
  }
  t.diagnostic(JSON.stringify(counts))
  assert.equal(counts['SAME'], counts['incidents'])
  for (const kind of ['RECOVERED', 'MONITOR_PAUSED', 'null'])
    assert.ok((counts[kind] ?? 0) > 5, `too few incidents that end by ${kind}`)
  assert.ok((counts['incidents'] ?? 0) > MONITORS)
})

test('what the setting decides is found: other statuses give other incidents', async () => {
  const [monitor] = monitors
  assert.ok(monitor)
  const history = await readHistory(monitor)
  const strict = finish(replay(history, { ...monitor, expectedStatus: [204] }))
  const compared = compareIncidents(history.incidents, strict.incidents)
  assert.ok(compared.some(({ change }) => change !== 'SAME'))
  const lenient = finish(
    replay(history, {
      ...monitor,
      degradedThresholdMs: 1,
      degradedSamples: 1,
      expectedStatus: null,
    }),
  )
  assert.ok(lenient.degradations.length > 0)
  assert.equal(lenient.incidents.length, history.incidents.length)
})
