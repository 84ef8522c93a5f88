// A probe that joined and then sends nonsense, over a NATS server as it is shipped. What it says is never a verdict.
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connect, jwtAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import { createAuthority } from '../../../test/kit/targets/certificates.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { type Nats, startNats } from '../../../tools/services/nats.ts'
import {
  newAuthority,
  probeJwt,
  serverConfigText,
  serviceCredentials,
} from '../../bus/authority.ts'
import type { Bus, HandlePacket, Job } from '../../bus/bus.ts'
import { LiveProbes } from '../../bus/live-probes.ts'
import { openNatsBus } from '../../bus/nats-bus.ts'
import { newSeed, publicKeyOf } from '../../bus/nats-jwt.ts'
import type { RegionProof } from '../../domain/regions/reach.ts'
import { openLog } from '../../platform/observability/log.ts'
import { Database } from '../../store/core/db.ts'
import { DatabaseClock } from '../database-clock.ts'
import { EgressWatch } from './egress-watch.ts'
import { JobSender } from './job-sender.ts'
import { ProbeConduct } from './probe-conduct.ts'
import { runCheck } from './run-check.ts'

const WAIT = { timeout: 30_000 }
const CONFIG = new URL('../../../deploy/nats-regions.conf', import.meta.url)
const PASSED = { outcome: 'OK', durationMs: 3, sent: false, stalled: false, controlReached: null }
const FAILED = { ...PASSED, outcome: 'FAILED', causeCode: 'UNEXPECTED_STATUS', cause: 'HTTP 404' }
const TIMES = { acceptedToStartMs: 0, startedToEndMs: 3 }
const KEY = 'k'.repeat(22)

const directory = mkdtempSync(join(tmpdir(), 'upvane-hostile-probe-'))
const file = (name: string) => join(directory, name)
const seeds = newAuthority()
const live = new LiveProbes()
const conduct = new ProbeConduct('0.2.0')
conduct.watch(() => live.live(performance.now()))
const clock = new DatabaseClock()
// Nothing here is in doubt, so nothing is read or written.
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
const closers: (() => unknown)[] = []
const errors: string[] = []
const onError = (error: unknown) => void errors.push(String(error))
let nats: Nats
let service: Bus
let sender: JobSender

before(async () => {
  const authority = createAuthority()
  const { key, cert } = authority.issue('localhost', { san: 'DNS:localhost,IP:127.0.0.1' })
  authority.remove()
  writeFileSync(file('ca.pem'), authority.root)
  writeFileSync(file('key.pem'), key)
  writeFileSync(file('cert.pem'), cert)
  writeFileSync(file('upvane-auth.conf'), serverConfigText(seeds, new Map(), new Date()))
  writeFileSync(file('upvane.creds'), serviceCredentials(seeds, new Date()))
  copyFileSync(CONFIG, file('nats-regions.conf'))
  mkdirSync(file('state'))
  const env = {
    NATS_CERT_FILE: file('cert.pem'),
    NATS_KEY_FILE: file('key.pem'),
    NATS_STATE_DIR: file('state'),
    NATS_WEBSOCKET: '127.0.0.1:-1',
  }
  nats = await startNats({ configFile: file('nats-regions.conf'), env })
  service = await openNatsBus({ ...toServer(), credsFile: file('upvane.creds'), onError })
  await service.onAnnouncement((one) => live.record(one, performance.now()))
  clock.set(Date.now(), performance.now())
  sender = new JobSender(service, clock, onError, conduct)
  await openHonest('home', 'home-1')
})

after(async () => {
  await sender.stop()
  for (const close of closers.toReversed()) await close()
  await service.close()
  await nats.stop()
  rmSync(directory, { recursive: true })
})

const toServer = () => ({ url: nats.url.replace('nats:', 'tls:'), caFile: file('ca.pem') })

function joinAs(region: string, name: string) {
  const seed = newSeed('user')
  const claims = { region, name, publicKey: publicKeyOf(seed) }
  return { name, seed, jwt: probeJwt(seeds, claims, new Date()) }
}

const pass: HandlePacket = ({ jobs, reply }) => {
  reply(jobs.map(({ id }) => ({ id, ...TIMES, attempt: PASSED })))
  return 'accepted'
}

async function openHonest(region: string, probe: string) {
  const bus = await openNatsBus({ ...toServer(), identity: joinAs(region, probe), onError })
  closers.push(() => bus.close())
  const load = { capacity: 9, inFlight: 0, can: ['PORT'] }
  let served = 0
  await bus.serveJobs({ region, probe }, (packet) => {
    served += packet.jobs.length
    return pass(packet)
  })
  await announced(region, probe, () => bus.announce({ region, probe, ...load }))
  return { served: () => served }
}

/** Says that it is there, again and again, as every probe does. */
async function announced(region: string, probe: string, announce: () => void): Promise<void> {
  const isThere = () =>
    live.live(performance.now()).some((one) => one.region === region && one.probe === probe)
  announce()
  const timer = setInterval(announce, 1_000)
  closers.push(() => clearInterval(timer))
  while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 10))
}

type Say = (what: unknown) => void
type Answer = (job: Job, say: Say) => void

/** It has the permissions of a probe that joined, and a client of its own. */
async function openHostile(
  region: string,
  probe: string,
  answer: Answer,
  { key }: { key?: string } = { key: KEY },
) {
  const { jwt, seed } = joinAs(region, probe)
  const raw = await connect({
    servers: nats.url,
    authenticator: jwtAuthenticator(jwt, Buffer.from(seed)),
    tls: { caFile: file('ca.pem') },
    reconnect: false,
  })
  closers.push(() => raw.close())
  let heard = 0
  const callback = (error: Error | null, message: { string(): string; reply?: string }) => {
    if (error !== null) return
    heard += 1
    const say: Say = (what) =>
      raw.publish(message.reply ?? '', typeof what === 'string' ? what : JSON.stringify(what))
    for (const job of JSON.parse(message.string()) as Job[]) answer(job, say)
  }
  raw.subscribe(`upvane.jobs.${region}`, { queue: 'probes', callback })
  raw.subscribe(`upvane.inbox.${probe}.jobs.${region}`, { queue: 'probes', callback })
  await raw.flush()
  const said = {
    capacity: 9,
    inFlight: 0,
    can: ['PORT'],
    version: '9.0.0',
    answerKey: key,
    isDirect: key !== undefined,
  }
  const tell = () => raw.publish(`upvane.probes.${region}.${probe}`, JSON.stringify(said))
  await announced(region, probe, tell)
  return { raw, heard: () => heard }
}

function check(regions: readonly string[]) {
  const monitor = {
    ...sampleSettings({ type: 'PORT', host: 'shop.example', port: 443 }),
    orgId: '019aa000-0000-7000-8000-0000000000aa',
    privateTargets: false,
    homeRegion: regions[0] ?? null,
    homeChosenAt: null,
    chosenRegions: [],
    eachRegion: null,
    proofs: regions.map(provenIn),
  }
  const counts = (place: { region: string; probe: string }) =>
    !conduct.isSuspended(place, performance.now())
  const liveRegions = () =>
    live.regions(performance.now(), 'PORT', counts).filter((region) => regions.includes(region))
  const presence = { liveRegions, presentRegions: () => [...regions], seenAt: () => new Date() }
  return runCheck({ sender, ...presence, egress }, monitor, () => clock.now())
}

/** Only regions that have seen the target work may decide. */
function provenIn(region: string): RegionProof {
  const at = new Date()
  const times = { passedAt: at, decidedAt: at, triedAt: null, lostAt: null }
  return { region, ...times, address: null, port: 443, isPrivate: false }
}

const attempt =
  (found: unknown): Answer =>
  ({ id }, say) => {
    const from = { probe: 'evil-1', key: KEY }
    say({ ...from, answer: 'accepted' })
    say({ ...from, results: [{ id, ...TIMES, attempt: found }] })
  }
const reply =
  (...texts: unknown[]): Answer =>
  (_job, say) => {
    for (const text of texts) say(text)
  }
const as =
  (from: object): Answer =>
  ({ id }, say) => {
    say({ ...from, answer: 'accepted' })
    say({ ...from, results: [{ id, ...TIMES, attempt: FAILED }] })
  }
const ACCEPTED = { probe: 'evil-1', key: KEY, answer: 'accepted' }

// biome-ignore format: a table is read by its columns
const NONSENSE: [what: string, answer: Answer][] = [
  ['an empty finding',                  attempt({})],
  ['no finding',                        attempt(null)],
  ['a failure without a cause',         attempt({ outcome: 'FAILED' })],
  ['a cause with U+0000',               attempt({ ...FAILED, causeCode: 'EVIL\0' })],
  ['a cause that is an object',         attempt({ ...FAILED, causeCode: { a: 1 } })],
  ['a cause of heartbeats',             attempt({ ...FAILED, causeCode: 'HEARTBEAT_MISSED' })],
  ['a status of 1e12',                  attempt({ ...FAILED, httpStatus: 1e12 })],
  ['a response time that is a text',    attempt({ ...PASSED, responseMs: 'abc' })],
  ['a response time of 1e300',          attempt({ ...PASSED, responseMs: 1e300 })],
  ['a finding that is a list',          attempt([FAILED])],
  ['a duration that is negative',       ({ id }, say) => say({ ...ACCEPTED, answer: undefined, results: [{ id, acceptedToStartMs: -1, startedToEndMs: 1, attempt: FAILED }] })],
  ['a duration that is a text',         ({ id }, say) => say({ ...ACCEPTED, answer: undefined, results: [{ id, acceptedToStartMs: 0, startedToEndMs: 'x', attempt: FAILED }] })],
  ['what is not JSON',                  reply('nonsense')],
  ['what is no reply',                  reply([1, 2, 3])],
  ['nothing',                           reply('')],
  ['an acceptance, then no JSON',       reply(ACCEPTED, 'nonsense')],
  ['an acceptance, then another name',  reply(ACCEPTED, { probe: 'home-1', results: [] })],
  ['a reply in the name of another',    as({ probe: 'home-1' })],
  ['the same with a key of its own',    as({ probe: 'home-1', key: KEY })],
  ['a reply in an invented name',       as({ probe: 'evil-2' })],
  ['a reply without its key',           as({ probe: 'evil-1' })],
  ['a reply with another key',          as({ probe: 'evil-1', key: 'x'.repeat(22) })],
  ['a reply without a name',            as({ key: KEY })],
]
// Names count from here on only if they were announced.
const ALL_HEARD_MS = 3_100
test(
  'every probe had time to announce itself',
  WAIT,
  () => new Promise((resolve) => setTimeout(resolve, ALL_HEARD_MS)),
)

for (const [i, [what, answer]] of NONSENSE.entries())
  test(`a hostile probe sends ${what}: no verdict, and the next region decides`, WAIT, async () => {
    const region = `evil-${i}`
    const { heard } = await openHostile(region, 'evil-1', answer)
    const startedMs = performance.now()
    const alone = await check([region])
    assert.deepEqual(alone.outcome, { result: 'INCONCLUSIVE', reason: 'PROBE_FAULT' })
    const { outcome, region: decided } = await check([region, 'home'])
    assert.deepEqual([outcome.result, decided], ['OK', 'home'])
    assert.ok(performance.now() - startedMs < 2_000, 'the check does not wait for its timeout')
    for (let tries = 0; tries < 3; tries++) await check([region])
    assert.ok(conduct.isSuspended({ region, probe: 'evil-1' }, performance.now()))
    const before = heard()
    const last = await check([region])
    assert.deepEqual(last.outcome, { result: 'INCONCLUSIVE', reason: 'NO_PROBE' })
    assert.equal(heard(), before, 'it gets no jobs')
  })

test('a hostile probe beside an honest one: the honest one gets all the jobs', WAIT, async () => {
  const honest = await openHonest('mixed', 'mixed-1')
  const hostile = await openHostile('mixed', 'evil-1', attempt({}))
  const results: string[] = []
  for (let i = 0; i < 20; i++) results.push((await check(['mixed'])).outcome.result)
  assert.ok(!results.includes('FAILED'))
  const heard = hostile.heard()
  assert.equal(heard, 3, 'the third is its last')
  const many = await Promise.all(Array.from({ length: 200 }, () => check(['mixed'])))
  assert.deepEqual(new Set(many.map(({ outcome }) => outcome.result)), new Set(['OK']))
  assert.equal(hostile.heard(), heard)
  assert.ok(honest.served() > 200)
})

test(
  'a hostile probe that answers as an honest one of its region is found, and the honest one is not blamed',
  WAIT,
  async () => {
    await openHonest('framed', 'framed-1')
    const hostile = await openHostile('framed', 'evil-1', as({ probe: 'framed-1', key: KEY }))
    for (let i = 0; i < 40; i++) assert.notEqual((await check(['framed'])).outcome.result, 'FAILED')
    const isSuspended = (probe: string) =>
      conduct.isSuspended({ region: 'framed', probe }, performance.now())
    assert.deepEqual([isSuspended('framed-1'), isSuspended('evil-1')], [false, true])
    const heard = hostile.heard()
    const many = await Promise.all(Array.from({ length: 100 }, () => check(['framed'])))
    assert.deepEqual(new Set(many.map(({ outcome }) => outcome.result)), new Set(['OK']))
    assert.equal(hostile.heard(), heard)
  },
)

test(
  'a hostile probe that poses as an older one is known by the name of its user all the same',
  WAIT,
  async () => {
    const answer: Answer = ({ id }, say) => {
      say({ probe: 'evil-1', answer: 'accepted' })
      say({ probe: 'evil-1', results: [{ id, ...TIMES, attempt: {} }] })
    }
    const { heard } = await openHostile('old', 'evil-1', answer, {})
    for (let i = 0; i < 5; i++) assert.equal((await check(['old'])).outcome.result, 'INCONCLUSIVE')
    assert.equal(heard(), 3)
  },
)

test('an older probe, which has no key, is believed under its own name', WAIT, async () => {
  const answer: Answer = ({ id }, say) => {
    say({ probe: 'older-1', answer: 'accepted' })
    say({ probe: 'older-1', results: [{ id, ...TIMES, attempt: PASSED }] })
  }
  await openHostile('older', 'older-1', answer, {})
  assert.equal((await check(['older'])).outcome.result, 'OK')
  const [said] = live.live(performance.now()).filter(({ region }) => region === 'older')
  assert.equal(said?.answerKey, undefined)
})

test(
  'a hostile probe hears nothing of what another one of its region is sent alone',
  WAIT,
  async () => {
    const { raw } = await openHostile('spy', 'evil-1', attempt({}))
    const refused = nextViolation(raw)
    raw.subscribe('upvane.inbox.spy-1.jobs.spy', { queue: 'probes', callback: () => {} })
    assert.match(await refused, /Permissions Violation for Subscription/)
  },
)

test('the operator learns which probe it is', () => {
  const found = conduct.findings(performance.now())
  assert.ok(found.every(({ code }) => code === 'PROBE_FAULT'))
  for (const subject of ['evil-0 evil-1', 'mixed evil-1', 'framed evil-1'])
    assert.ok(
      found.some((one) => one.subject === subject),
      subject,
    )
  assert.ok(!found.some(({ subject }) => /home-1|mixed-1|framed-1/.test(subject)))
})

async function nextViolation(raw: NatsConnection): Promise<string> {
  for await (const status of raw.status()) if (status.type === 'error') return status.error.message
  return ''
}
