// What only the NATS bus must survive: servers that die, hang, refuse us, or have too small limits.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Nats, type NatsOptions, startNats } from '../../tools/services/nats.ts'
import type { Bus, Job, JobResult, Packet, ProbeResult, SendOutcome } from './bus.ts'
import { JobsInFlight } from './jobs-in-flight.ts'
import { openNatsBus } from './nats-bus.ts'
import { packJobs } from './packing.ts'

const WAIT = { timeout: 90_000 }

test('kill -9 and restart amid 20,000 jobs: all answered, none invented', WAIT, async (t) => {
  await using held = await hold()
  const owner = await held.open()
  let run = 0
  for (const name of ['eu-1', 'eu-2']) {
    const probe = await held.open()
    await probe.serveJobs({ region: 'eu', probe: name }, ({ jobs, reply }) => {
      run += jobs.length
      for (const half of [jobs.slice(0, 50), jobs.slice(50)])
        setTimeout(() => reply(half.map(resultOf)), Math.random() * 40)
      return 'accepted'
    })
  }
  const counts = { results: 0, invented: 0, outcomes: new Map<SendOutcome, number>() }
  const inFlight = new JobsInFlight<number>()
  const jobs = Array.from({ length: 20_000 }, (_, index) => jobOf(inFlight.add(index), index))
  const answered = new Set<number>()
  const onResults = (results: JobResult[]) => {
    counts.results += results.length
    counts.invented += results.filter(({ id }) => !known.has(id)).length
    for (const { about } of inFlight.match(results)) answered.add(about)
  }
  const known = new Set(jobs.map(({ id }) => id))
  const restarted = killWhen(held.nats, () => answered.size >= 5000)

  let rounds = 0
  for (; inFlight.size > 0 && rounds < 100; rounds++) {
    const unanswered = jobs.filter(({ id }) => inFlight.find(id) !== undefined)
    for (const packets of chunk(packJobs(unanswered).packets, 8)) {
      const sent = packets.map((packet) => owner.sendJobs('eu', packet, onResults))
      for (const outcome of await Promise.all(sent))
        counts.outcomes.set(outcome, (counts.outcomes.get(outcome) ?? 0) + 1)
    }
    await sleep(200)
  }
  await restarted

  assert.equal(answered.size, 20_000)
  assert.equal(counts.invented, 0)
  assert.ok((counts.outcomes.get('nobody') ?? 0) > 0, 'the server was away meanwhile')
  t.diagnostic(
    `${rounds} rounds, ${JSON.stringify([...counts.outcomes])}, ${run - 20_000} jobs run twice, ` +
      `${counts.results - 20_000} results twice`,
  )
})

test('a dead server: nobody at once; subscriptions come back with it', WAIT, async () => {
  await using held = await hold()
  const [owner, probe] = [await held.open(), await held.open()]
  await probe.serveJobs({ region: 'eu', probe: 'eu-1' }, () => 'accepted')
  await owner.serveRequests('check.1', (body) => body)
  assert.equal(await owner.sendJobs('eu', packetOf(1), () => {}), 'accepted')
  assert.equal((await probe.request('check.1', 1, 1000)).kind, 'answer')

  await held.nats.kill()
  await until(() => !owner.isConnected() && !probe.isConnected(), 1000)
  const startMs = performance.now()
  assert.equal(await owner.sendJobs('eu', packetOf(1), () => {}), 'nobody')
  assert.deepEqual(await probe.request('check.1', 1, 1000), { kind: 'nobody' })
  owner.hint('lost')
  assert.ok(performance.now() - startMs < 100)
  // Subscribed while there is no server: takes effect once there is one.
  await owner.serveRequests('check.2', (body) => body)

  await held.nats.restart()
  await until(() => owner.isConnected() && probe.isConnected(), 3000)
  await sleep(50)
  assert.equal(await owner.sendJobs('eu', packetOf(1), () => {}), 'accepted')
  for (const name of ['check.1', 'check.2'])
    assert.deepEqual(await probe.request(name, 1, 1000), { kind: 'answer', body: 1 })
  assert.ok(held.errors.some(({ message }) => message.includes('was lost')))
})

test('results outlive a lost connection', WAIT, async () => {
  await using held = await hold()
  const [owner, probe] = [await held.open(), await held.open()]
  let answer = () => {}
  await probe.serveJobs({ region: 'eu', probe: 'eu-1' }, ({ jobs, reply }) => {
    answer = () => reply(jobs.map(resultOf))
    return 'accepted'
  })
  const results: JobResult[] = []
  const onResults = (some: JobResult[]) => void results.push(...some)
  assert.equal(await owner.sendJobs('eu', packetOf(3), onResults), 'accepted')
  await held.nats.kill()
  await until(() => !probe.isConnected(), 1000)
  answer()
  await held.nats.restart()
  await until(() => results.length === 3, 10_000)
})

test(
  'a server that stands still: silent in time, bounded, left and found again',
  WAIT,
  async (t) => {
    await using held = await hold()
    const [owner, probe] = [await held.open(), await held.open()]
    await probe.serveJobs({ region: 'eu', probe: 'eu-1' }, () => 'accepted')
    assert.equal(await owner.sendJobs('eu', packetOf(1), () => {}), 'accepted')

    process.kill(held.nats.pid, 'SIGSTOP')
    const startMs = performance.now()
    assert.equal(await owner.sendJobs('eu', packetOf(1), () => {}), 'silent')
    assert.ok(performance.now() - startMs < 700)
    const large = packetOf(100, 2500)
    const sending = Array.from({ length: 200 }, () => owner.sendJobs('eu', large, () => {}))
    const outcomes = await Promise.all(sending)
    assert.ok(outcomes.includes('silent') && outcomes.includes('nobody'), 'not all 50 MB are kept')
    await until(() => !owner.isConnected(), 20_000)
    t.diagnostic(`left after ${Math.round(performance.now() - startMs)} ms`)

    process.kill(held.nats.pid, 'SIGCONT')
    await until(() => owner.isConnected() && probe.isConnected(), 20_000)
    await sleep(100)
    assert.equal(await owner.sendJobs('eu', packetOf(1), () => {}), 'accepted')
  },
)

test('refused sign-ins do not end the trying', WAIT, async () => {
  const configOf = (password: string) =>
    `authorization { user: upvane, password: "${password}", timeout: 1 }\nmax_payload: 4MB\n`
  await using held = await hold({ config: configOf('first') })
  const bus = await held.open('upvane:first@')
  await assert.rejects(held.open('upvane:wrong@'), /Authorization/)

  const before = refusedSignIns(held.nats)
  writeConfig(held.nats, configOf('second'))
  await held.nats.restart()
  // The client library gives up after two.
  await until(() => refusedSignIns(held.nats) - before >= 3, 20_000)
  assert.equal(bus.isConnected(), false)
  writeConfig(held.nats, configOf('first'))
  await held.nats.restart()
  await until(() => bus.isConnected(), 5000)
  assert.ok(held.errors.some(({ message }) => /Authorization/.test(message)))
})

test('a permission taken away and given back: the subscription comes back', WAIT, async () => {
  const configOf = (subscribe: string) =>
    `authorization { users: [{ user: u, password: p, permissions: { publish: ">", subscribe: ${subscribe} } }] }\n`
  await using held = await hold({ config: configOf('">"') })
  const [owner, listener] = [await held.open('u:p@'), await held.open('u:p@')]
  await owner.serveRequests('check.1', () => 1)
  assert.equal((await listener.request('check.1', 0, 1000)).kind, 'answer')

  reload(held.nats, configOf('["upvane.inbox.>"]'))
  await untilAsync(async () => (await listener.request('check.1', 0, 300)).kind === 'nobody', 3000)
  await assert.rejects(
    owner.serveRequests('check.2', () => 1),
    /does not permit/,
  )
  reload(held.nats, configOf('">"'))
  await untilAsync(async () => (await listener.request('check.1', 0, 300)).kind === 'answer', 9000)
})

test('openNatsBus: refuses a small server and an absent one', WAIT, async () => {
  await using held = await hold({ config: 'max_payload: 1000000\n' })
  await assert.rejects(held.open(), /max_payload .* 1000000 bytes, and must be 1048576/)
  await held.nats.stop()
  await assert.rejects(held.open(), /connection refused/)
})

test('close ends at once while the server is away', WAIT, async () => {
  await using held = await hold()
  const bus = await held.open()
  await bus.onHint('x', () => {})
  await held.nats.kill()
  await until(() => !bus.isConnected(), 1000)
  const startMs = performance.now()
  await bus.close()
  assert.ok(performance.now() - startMs < 1500)
})

test('jobs packed by 100 there and back: each result arrives once', WAIT, async () => {
  await using held = await hold()
  const [owner, probe] = [await held.open(), await held.open()]
  await probe.serveJobs({ region: 'eu', probe: 'eu-1' }, ({ jobs, reply }) => {
    reply(jobs.map(resultOf))
    return 'accepted'
  })
  const jobs = Array.from({ length: 5_000 }, (_, index) => jobOf(`job-${index}`, index))
  const received: string[] = []
  const onResults = (results: JobResult[]) => void received.push(...results.map(({ id }) => id))
  for (const packets of chunk(packJobs(jobs).packets, 16))
    await Promise.all(packets.map((packet) => owner.sendJobs('eu', packet, onResults)))
  await until(() => received.length >= jobs.length, 10_000)
  assert.deepEqual(received.toSorted(), jobs.map(({ id }) => id).toSorted())
})

type Held = {
  nats: Nats
  errors: Error[]
  open(signIn?: string): Promise<Bus>
  [Symbol.asyncDispose](): Promise<void>
}

async function hold(options: NatsOptions = {}): Promise<Held> {
  const nats = await startNats(options)
  const errors: Error[] = []
  const buses: Bus[] = []
  return {
    nats,
    errors,
    async open(signIn = '') {
      const url = nats.url.replace('//', `//${signIn}`)
      const bus = await openNatsBus({ url, onError: (error) => void errors.push(error) })
      buses.push(bus)
      return bus
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(buses.map((bus) => bus.close()))
      await nats.stop()
    },
  }
}

async function killWhen(nats: Nats, isTime: () => boolean): Promise<void> {
  await until(isTime, 30_000)
  await nats.kill()
  await sleep(500)
  await nats.restart()
}

function refusedSignIns(nats: Nats): number {
  const log = readFileSync(join(nats.directory, 'server.log'), 'utf8')
  return log.split('authentication error').length - 1
}

function writeConfig(nats: Nats, config: string): void {
  const file = join(nats.directory, 'nats.conf')
  writeFileSync(file, config)
}

function reload(nats: Nats, config: string): void {
  // The name was given on the command line, and a reload must not change it.
  writeConfig(nats, `server_name: ${basename(nats.directory)}\n${config}`)
  process.kill(nats.pid, 'SIGHUP')
}

async function until(isTrue: () => boolean, timeoutMs: number): Promise<void> {
  await untilAsync(async () => isTrue(), timeoutMs)
}

async function untilAsync(isTrue: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs
  while (!(await isTrue())) {
    assert.ok(performance.now() < deadlineMs, `not within ${timeoutMs} ms: ${isTrue}`)
    await sleep(10)
  }
}

function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

function packetOf(count: number, length = 100): Packet {
  const { packets } = packJobs(
    Array.from({ length: count }, (_, i) => ({
      ...jobOf(`j-${i}`, i),
      target: 'x'.repeat(length),
    })),
  )
  assert.ok(packets[0] && packets.length === 1)
  return packets[0]
}

function jobOf(id: string, index: number): Job {
  const target = {
    type: 'HTTP',
    url: `https://example.com/${index}`,
    method: 'GET',
    requestHeaders: { 'User-Agent': 'x'.repeat(300) },
    expectedStatus: [200],
  }
  return { id, orgId: 'org_1', attempt: 1, budgetMs: 10_000, target }
}

function resultOf({ id }: Job): ProbeResult {
  const attempt = { outcome: 'OK', responseMs: 12, httpStatus: 200, resolvedIp: '192.0.2.1' }
  return { id, acceptedToStartMs: 1, startedToEndMs: 12, attempt }
}
