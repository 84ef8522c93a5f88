// One check in several regions: when they start, what is asked again, and what becomes of their findings.
import assert from 'node:assert/strict'
import { afterEach, mock, test } from 'node:test'
import { openJobSender } from '../../../test/samples/job-sender.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import type { ProbeAnnouncement } from '../../bus/bus.ts'
import type { MonitorSettings } from '../../domain/monitors/monitor.ts'
import type { RegionProof } from '../../domain/regions/reach.ts'
import { openLog } from '../../platform/observability/log.ts'
import { Database } from '../../store/core/db.ts'
import { EgressWatch } from './egress-watch.ts'
import { runEach } from './run-each.ts'

const live: ProbeAnnouncement[] = []
const { bus, clock, sender } = openJobSender(live)
const egress = new EgressWatch({
  database: new Database({
    url: 'postgres://127.0.0.1:1/none',
    role: 'upvane_engine',
    connections: 1,
  }),
  log: openLog('silent').log,
  now: () => clock.now(),
  limitMs: 180_000,
  regions: () => [],
})
afterEach(() => mock.restoreAll())

type Found = Record<string, unknown>
const PASSED = { outcome: 'OK', durationMs: 3, sent: false, stalled: false, controlReached: null }
const FAILED = {
  ...PASSED,
  outcome: 'FAILED',
  causeCode: 'UNEXPECTED_STATUS',
  cause: 'HTTP 404',
  httpStatus: 404,
}
const SILENT = { ...PASSED, outcome: 'INCONCLUSIVE', reason: 'STALLED' }
const took = (responseMs: number, more: Found = {}) => ({ ...PASSED, responseMs, ...more })

let installations = 0
type Options = {
  settings?: Partial<MonitorSettings>
  downWhen?: number | null
  proven?: string[]
  absent?: string[]
}

/** Each region says one of its findings after the other, and the last one again. */
async function check(findings: Record<string, Found[]>, options: Options = {}) {
  const { settings = {}, downWhen = null, proven = Object.keys(findings), absent = [] } = options
  const prefix = `i${++installations}-`
  const starts: { region: string; atMs: number; number: number }[] = []
  for (const [name, said] of Object.entries(findings)) {
    const place = { region: prefix + name, probe: 'probe-1' }
    live.push({ ...place, capacity: 9, inFlight: 0, can: ['SSL', 'HTTP', 'DNS'], version: '0.2.0' })
    await bus.serveJobs(place, ({ jobs, reply }) => {
      starts.push({ region: name, atMs: performance.now(), number: starts.length })
      const attempt = said.length > 1 ? said.shift() : said[0]
      reply(jobs.map(({ id }) => ({ id, acceptedToStartMs: 0, startedToEndMs: 3, attempt })))
      return 'accepted'
    })
  }
  const regions = Object.keys(findings).map((name) => prefix + name)
  const at = clock.now()
  const proofs = proven.map((name): RegionProof => {
    const where = { address: '192.0.2.7', port: 443, isPrivate: false }
    return {
      region: prefix + name,
      passedAt: at,
      decidedAt: at,
      triedAt: null,
      lostAt: null,
      ...where,
    }
  })
  const monitor = {
    ...sampleSettings({ type: 'HTTP', url: 'https://shop.example/', ...settings }),
    orgId: '019aa000-0000-7000-8000-0000000000aa',
    privateTargets: false,
    homeRegion: null,
    homeChosenAt: null,
    chosenRegions: [...regions, ...absent.map((name) => prefix + name)],
    eachRegion: { downWhen },
    proofs,
  }
  const presence = { liveRegions: () => regions, presentRegions: () => regions, seenAt: () => null }
  const finished = await runEach({ sender, ...presence, egress }, monitor, () => clock.now())
  const text = (value: string | null | undefined) => value?.replaceAll(prefix, '')
  return { ...finished, starts, text }
}

test('all regions start within 20 ms of each other, and the median of three passes is shown', async () => {
  const { outcome, observation, starts, regions, region } = await check({
    eu: [took(30)],
    us: [took(200)],
    ap: [took(100)],
  })
  const times = starts.map(({ atMs }) => atMs)
  assert.equal(times.length, 3)
  assert.ok(Math.max(...times) - Math.min(...times) < 20, String(times))
  assert.deepEqual(outcome, { result: 'OK', responseMs: 100, sampled: true })
  assert.equal(observation.responseMs, 100)
  assert.equal(region, null)
  assert.deepEqual(
    regions?.map(({ outcome: one }) => one),
    ['OK', 'OK', 'OK'],
  )
})

test('one of three fails: not DOWN, and the text says from where', async () => {
  const { outcome, text } = await check({ eu: [took(30)], us: [FAILED], ap: [took(20)] })
  assert.equal(outcome.result, 'OK')
  assert.equal(
    outcome.result === 'OK' && text(outcome.downFrom),
    'Down from 1 of 3 regions: us. Up from eu and ap',
  )
})

test('two of three fail: DOWN with the evidence of the first, and all regions in the cause', async () => {
  const { outcome, observation, region, evidence, text } = await check(
    { eu: [took(30)], us: [FAILED], ap: [{ ...FAILED, cause: 'HTTP 500' }] },
    { absent: ['sa'] },
  )
  assert.equal(outcome.result, 'FAILED')
  assert.equal(text(region), 'us')
  assert.equal(
    text(observation.cause),
    'HTTP 404. Down from 2 of 3 regions: us and ap. Up from eu. No probe in sa',
  )
  assert.deepEqual(
    evidence().attempts.map((one) => text(one.region)),
    ['us'],
  )
})

test('who gave no verdict is asked once more, if it decides', async () => {
  const decided = await check({ eu: [took(30)], us: [took(40)], ap: [SILENT] })
  assert.equal(decided.starts.length, 3)
  const startedMs = performance.now()
  const asked = await check({ eu: [took(30)], us: [FAILED], ap: [SILENT, FAILED] })
  assert.ok(performance.now() - startedMs >= 5_000)
  assert.deepEqual(asked.starts.map(({ region }) => region).toSorted(), ['ap', 'ap', 'eu', 'us'])
  assert.equal(asked.outcome.result, 'FAILED')
})

test('a request with side effects is not asked again', async () => {
  const settings = { method: 'POST' as const }
  const { outcome, starts } = await check({ eu: [took(30)], us: [SILENT] }, { settings })
  assert.equal(starts.length, 2)
  assert.equal(outcome.result, 'OK')
})

test('a region that never reached the target is not counted while another passes', async () => {
  const { outcome } = await check({ eu: [took(30)], ap: [FAILED] }, { proven: ['eu'], downWhen: 1 })
  assert.deepEqual(outcome, { result: 'OK', responseMs: 30, sampled: true })
  const alone = await check({ eu: [FAILED], ap: [FAILED] }, { proven: [] })
  assert.equal(alone.outcome.result, 'FAILED')
})

test('no live probe anywhere: no result, and no region has a row', async () => {
  const { outcome, regions } = await check({}, { absent: ['eu', 'us'] })
  assert.deepEqual(outcome, { result: 'INCONCLUSIVE', reason: 'NO_PROBE' })
  assert.deepEqual(regions, [])
})

test('the earliest certificate is shown with its issuer, and all answers of DNS are usual', async () => {
  const until = (certExpiresAt: string, issuer: string) => took(9, { certExpiresAt, issuer })
  const ssl = await check({
    eu: [until('2027-03-01T00:00:00.000Z', 'A')],
    us: [until('2027-01-01T00:00:00.000Z', 'B')],
    ap: [took(5)],
  })
  assert.equal(ssl.observation.certExpiresAt?.toISOString(), '2027-01-01T00:00:00.000Z')
  assert.equal(ssl.observation.issuer, 'B')
  const answers = (...dnsAnswers: string[]) => took(9, { dnsAnswers })
  const settings = { type: 'DNS' as const, host: 'shop.example', dnsRecordType: 'A' as const }
  const dns = await check(
    { eu: [answers('192.0.2.1')], us: [answers('192.0.2.2', '192.0.2.1')] },
    { settings },
  )
  assert.deepEqual(dns.observation.dnsAnswers, ['192.0.2.1', '192.0.2.2'])
})
