// The example configuration for operators, with TLS, and a compromised probe.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { createAuthority } from '../../test/kit/targets/certificates.ts'
import { type Nats, startNats } from '../../tools/services/nats.ts'
import type { Bus, JobResult, Packet, ProbeAnnouncement, ProbeLocation } from './bus.ts'
import { newJobId } from './jobs-in-flight.ts'
import { openNatsBus } from './nats-bus.ts'
import { MAX_RESULT_DELAY_MS } from './outbox.ts'
import { packJobs } from './packing.ts'

const WAIT = { timeout: 30_000 }
const EXAMPLE = new URL('../../deploy/nats-probe-example.conf', import.meta.url)
const EU: ProbeLocation = { region: 'eu', probe: 'probe-eu-1' }
const US: ProbeLocation = { region: 'us', probe: 'probe-us-1' }

const directory = mkdtempSync(join(tmpdir(), 'upvane-nats-tls-'))
const caFile = join(directory, 'ca.pem')
const errors: Error[] = []
let nats: Nats
let owner: Bus

before(async () => {
  const authority = createAuthority()
  const { key, cert } = authority.issue('localhost', { san: 'DNS:localhost,IP:127.0.0.1' })
  writeFileSync(caFile, authority.root)
  writeFileSync(join(directory, 'key.pem'), key)
  writeFileSync(join(directory, 'cert.pem'), cert)
  authority.remove()
  nats = await startNats({ config: `${variables()}\n${readFileSync(EXAMPLE, 'utf8')}` })
  owner = await openAs('upvane')
})

after(async () => {
  await owner.close()
  await nats.stop()
  rmSync(directory, { recursive: true })
})

test('the example carries jobs, results, announcements, requests and hints', WAIT, async () => {
  await using eu = await hold(openAs('probe-eu-1'))
  await using other = await hold(openAs('upvane'))
  await eu.bus.serveJobs(EU, ({ jobs, reply }) => {
    // Each misses the batch of the one before, so the acceptance and 100 results are the most messages possible.
    const rest = [...jobs]
    const replyNext = () => {
      const job = rest.shift()
      if (job === undefined) return
      reply([resultOf(job.id)])
      setTimeout(replyNext, MAX_RESULT_DELAY_MS + 5)
    }
    setTimeout(replyNext)
    return 'accepted'
  })
  const announced = Promise.withResolvers<ProbeAnnouncement>()
  await owner.onAnnouncement(announced.resolve)
  eu.bus.announce({ ...EU, capacity: 5, inFlight: 0, can: ['HTTP'] })
  assert.equal((await announced.promise).probe, 'probe-eu-1')

  const { outcome, results, messages } = await sendAndWait(packetOf(100))
  assert.equal(outcome, 'accepted')
  assert.equal(results.length, 100)
  assert.ok(messages > 80, `${messages} messages`)

  await owner.serveRequests('check.1', (body) => body)
  assert.deepEqual(await other.bus.request('check.1', 7, 1000), { kind: 'answer', body: 7 })
  const woken = Promise.withResolvers<void>()
  await owner.onHint('shard.1', woken.resolve)
  other.bus.hint('shard.1')
  await woken.promise
  assert.deepEqual(errors, [])
})

test('TLS: no connection without it, and none with another authority', WAIT, async () => {
  const plain = nats.url.replace('//', '//upvane:secret-upvane@')
  const onError = (error: Error) => void errors.push(error)
  await assert.rejects(openNatsBus({ url: plain, onError }), /self-signed|certificate/i)
  await assert.rejects(openAs('upvane', 'wrong'), /Authorization/)
})

test('a probe serves no other region, not even by the bus', WAIT, async () => {
  await using eu = await hold(openAs('probe-eu-1'))
  await assert.rejects(
    eu.bus.serveJobs(US, () => 'accepted'),
    /does not permit/,
  )
})

// biome-ignore format: a table is read by its columns
const FORBIDDEN: [what: string, subject: string, queue?: string][] = [
  ['jobs of another region',         'upvane.jobs.us', 'probes'],
  ['jobs of its region, all of them', 'upvane.jobs.eu'], // outside the queue it would receive every probe's jobs
  ['jobs in a queue of its own',     'upvane.jobs.eu', 'mine'],
  ['all jobs',                       'upvane.jobs.*', 'probes'],
  ['the inboxes of owners',          'upvane.inbox.upvane.>'],
  ['the inbox of another probe',     'upvane.inbox.probe-us-1.>'],
  ['everything',                     '>'],
  ['announcements',                  'upvane.probes.*.*'],
  ['requests',                       'upvane.requests.>'],
  ['hints',                          'upvane.hints.>'],
]

for (const [what, subject, queue] of FORBIDDEN) {
  test(`a probe cannot hear ${what}`, WAIT, async () => {
    await using bad = await holdRaw('probe-eu-1')
    let heard = 0
    bad.raw.subscribe(subject, {
      ...(queue === undefined ? {} : { queue }),
      callback: (error) => {
        if (error === null) heard++
      },
    })
    await bad.raw.flush()
    await owner.sendJobs('us', packetOf(1), () => {})
    await owner.sendJobs('eu', packetOf(1), () => {})
    owner.hint('shard.1')
    await bad.raw.flush()
    assert.equal(heard, 0)
    assert.match(bad.violations[0] ?? '', /Permissions Violation for Subscription/)
  })
}

test('a probe publishes neither jobs nor what others say', WAIT, async () => {
  await using us = await hold(openAs('probe-us-1'))
  await using bad = await holdRaw('probe-eu-1')
  let taken = 0
  await us.bus.serveJobs(US, () => {
    taken++
    return 'busy'
  })
  const heard: ProbeAnnouncement[] = []
  const listening = await owner.onAnnouncement((announcement) => heard.push(announcement))
  const load = JSON.stringify({ region: 'us', probe: 'x', capacity: 9, inFlight: 0, can: [] })
  const forbidden = [
    'upvane.jobs.us',
    'upvane.jobs.eu',
    'upvane.probes.us.probe-us-1',
    'upvane.probes.eu.probe-eu-2',
    'upvane.requests.check.1',
    'upvane.hints.shard.1',
    'upvane.inbox.upvane.guessed.1',
  ]
  for (const subject of forbidden) bad.raw.publish(subject, load)
  // Its name is taken from the subject, whatever it writes.
  bad.raw.publish('upvane.probes.eu.probe-eu-1', load)
  await bad.raw.flush()
  await sleep(100)

  assert.equal(bad.violations.length, forbidden.length)
  assert.equal(taken, 0)
  assert.deepEqual(heard, [{ ...EU, capacity: 9, inFlight: 0, can: [] }])
  await listening.stop()
})

test('results count for the jobs of the packet alone, and only where asked', WAIT, async () => {
  await using bad = await holdRaw('probe-eu-1')
  const packet = packetOf(2)
  const [first, second] = packet.items
  assert.ok(first && second)
  const asked = Promise.withResolvers<Msg>()
  bad.raw.subscribe('upvane.jobs.eu', {
    queue: 'probes',
    callback: (_error, message) => asked.resolve(message),
  })
  await bad.raw.flush()
  const answers: JobResult[][] = []
  const sending = owner.sendJobs('eu', packet, (results) => answers.push(results))
  const { reply = '' } = await asked.promise
  const say = (subject: string, what: unknown) => bad.raw.publish(subject, JSON.stringify(what))
  const probe = 'probe-eu-1'
  say(reply, { probe, answer: 'accepted' })
  assert.equal(await sending, 'accepted')
  say(reply, { probe, results: [resultOf(newJobId()), resultOf('__proto__'), null, 5] })
  say(reply, { probe, results: [{ ...resultOf(first.id), region: 'us', monitorId: 'mon_1' }] })
  say(reply, { probe, results: [resultOf(first.id)] })
  await bad.raw.flush()
  assert.equal(bad.violations.length, 0)
  // The subject of another packet of the same owner.
  const neighbour = reply.replace(/[^.]+$/, (token) =>
    (Number.parseInt(token, 36) - 1).toString(36),
  )
  say(neighbour, { probe, results: [resultOf(second.id)] })
  await bad.raw.flush()
  await sleep(100)

  assert.match(bad.violations[0] ?? '', /Permissions Violation for Publish/)
  assert.deepEqual(answers, [[{ ...resultOf(first.id), ...EU }]])
})

function openAs(user: string, password = `secret-${user}`): Promise<Bus> {
  const url = nats.url.replace('nats://', `tls://${user}:${password}@`)
  return openNatsBus({ url, caFile, onError: (error) => void errors.push(error) })
}

async function hold(opening: Promise<Bus>) {
  const bus = await opening
  return { bus, [Symbol.asyncDispose]: () => bus.close() }
}

async function holdRaw(user: string) {
  const raw = await connect({
    servers: nats.url,
    user,
    pass: `secret-${user}`,
    tls: { caFile },
    reconnect: false,
  })
  const violations: string[] = []
  const watching = watch(raw, violations)
  return {
    raw,
    violations,
    async [Symbol.asyncDispose]() {
      await raw.close()
      await watching
    },
  }
}

async function watch(raw: NatsConnection, violations: string[]): Promise<void> {
  for await (const status of raw.status())
    if (status.type === 'error') violations.push(status.error.message)
}

async function sendAndWait(packet: Packet) {
  const results: JobResult[] = []
  const all = Promise.withResolvers<void>()
  let messages = 0
  const outcome = await owner.sendJobs('eu', packet, (some) => {
    messages++
    results.push(...some)
    if (results.length === packet.items.length) all.resolve()
  })
  await all.promise
  return { outcome, results, messages }
}

// What operators put into the server's environment.
function variables(): string {
  const values = {
    NATS_CERT_FILE: join(directory, 'cert.pem'),
    NATS_KEY_FILE: join(directory, 'key.pem'),
    NATS_UPVANE_PASSWORD: 'secret-upvane',
    NATS_PROBE_EU_1_PASSWORD: 'secret-probe-eu-1',
    NATS_PROBE_US_1_PASSWORD: 'secret-probe-us-1',
  }
  return Object.entries(values)
    .map(([name, value]) => `${name}: "${value}"`)
    .join('\n')
}

function packetOf(count: number): Packet {
  const jobs = Array.from({ length: count }, () => ({
    id: newJobId(),
    orgId: 'org_1',
    attempt: 1,
    budgetMs: 5000,
    target: { type: 'PORT', host: 'example.com', port: 443 },
  }))
  const [packet] = packJobs(jobs).packets
  assert.ok(packet)
  return packet
}

function resultOf(id: string) {
  return { id, acceptedToStartMs: 1, startedToEndMs: 2, attempt: { outcome: 'OK' } }
}
