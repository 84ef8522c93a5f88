// A process with every role beside others: its own jobs need no permission of NATS, and others share what is permitted.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Nats, startNats } from '../../tools/services/nats.ts'
import type { Bus, JobResult, Packet } from './bus.ts'
import { newJobId } from './jobs-in-flight.ts'
import { createLocalBus } from './local-bus.ts'
import { openNatsBus } from './nats-bus.ts'
import { packJobs } from './packing.ts'
import { joinBuses } from './whole-bus.ts'

const WAIT = { timeout: 30_000 }
// What the service was permitted before it could serve jobs.
const CONFIG = `authorization { users: [
  { user: "old", password: "p", permissions: {
    publish: ["upvane.jobs.*", "upvane.requests.>", "upvane.hints.>", "upvane.inbox.>"]
    subscribe: ["upvane.probes.*.*", "upvane.requests.>", "upvane.hints.>", "upvane.inbox.old.>"] } }
  { user: "new", password: "p", permissions: { publish: ["upvane.>"], subscribe: ["upvane.>"] } }
] }`

let nats: Nats
before(async () => {
  nats = await startNats({ config: CONFIG })
})
after(() => nats.stop())

type Whole = AsyncDisposable & { bus: Bus; refusals: Error[]; taken: string[] }

/** With a probe in `region` that takes every job, or says that it is busy. */
async function openWhole(user: string, name: string, region: string, busy = false): Promise<Whole> {
  const url = `nats://${user}:p@127.0.0.1:${nats.port}`
  const refusals: Error[] = []
  const onError = () => {}
  const network = await openNatsBus({ url, onError })
  const bus = joinBuses({
    inner: createLocalBus({ onError }),
    network,
    onRefused: (error) => void refusals.push(error),
  })
  const taken: string[] = []
  await bus.onAnnouncement(() => {})
  await bus.serveJobs({ region, probe: name }, ({ jobs, reply }) => {
    if (busy) return 'busy'
    taken.push(...jobs.map(({ id }) => id))
    reply(jobs.map(({ id }) => ({ id, acceptedToStartMs: 1, startedToEndMs: 2, attempt: {} })))
    return 'accepted'
  })
  bus.announce({ region, probe: name, capacity: 5, inFlight: 0, can: ['HTTP'] })
  return { bus, refusals, taken, [Symbol.asyncDispose]: () => bus.close() }
}

async function ask(bus: Bus, region: string): Promise<string | undefined> {
  const answered = Promise.withResolvers<JobResult[]>()
  const outcome = await bus.sendJobs(region, packet(), answered.resolve)
  if (outcome !== 'accepted') return outcome
  return (await answered.promise)[0]?.probe
}

function packet(): Packet {
  const target = { type: 'PORT', host: 'example.com', port: 443 }
  const job = { id: newJobId(), orgId: 'org_1', attempt: 1, budgetMs: 5000, target }
  const [only] = packJobs([job]).packets
  assert.ok(only)
  return only
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 200))

test('its own region is checked though NATS permits it no jobs', WAIT, async () => {
  await using whole = await openWhole('old', 'a', 'eu')
  assert.match(String(whole.refusals[0]?.message), /NATS does not permit what this process needs/)
  assert.equal(await ask(whole.bus, 'eu'), 'a')
  assert.equal(await ask(whole.bus, 'us'), 'nobody')
})

test('two of them share their regions where NATS permits it', WAIT, async () => {
  await using eu = await openWhole('new', 'a', 'eu')
  await using us = await openWhole('new', 'b', 'us')
  us.bus.announce({ region: 'us', probe: 'b', capacity: 5, inFlight: 0, can: ['HTTP'] })
  eu.bus.announce({ region: 'eu', probe: 'a', capacity: 5, inFlight: 0, can: ['HTTP'] })
  await settle()
  assert.deepEqual([eu.refusals, us.refusals], [[], []])
  assert.equal(await ask(eu.bus, 'us'), 'b')
  assert.equal(await ask(us.bus, 'eu'), 'a')
})

test(
  'probes of its own region take turns with it, and one that is busy passes jobs on',
  WAIT,
  async () => {
    await using first = await openWhole('new', 'a', 'eu')
    await using second = await openWhole('new', 'b', 'eu')
    second.bus.announce({ region: 'eu', probe: 'b', capacity: 5, inFlight: 0, can: ['HTTP'] })
    first.bus.announce({ region: 'eu', probe: 'a', capacity: 5, inFlight: 0, can: ['HTTP'] })
    await settle()
    for (let n = 0; n < 40; n++) await ask(first.bus, 'eu')
    assert.ok(first.taken.length >= 20 && second.taken.length > 0, `${second.taken.length}`)
    await using busy = await openWhole('new', 'c', 'ap', true)
    assert.equal(await ask(busy.bus, 'ap'), 'busy')
    await using idle = await openWhole('new', 'd', 'ap')
    idle.bus.announce({ region: 'ap', probe: 'd', capacity: 5, inFlight: 0, can: ['HTTP'] })
    await settle()
    const outcomes = new Set<string | undefined>()
    for (let n = 0; n < 20; n++) outcomes.add(await ask(busy.bus, 'ap'))
    assert.ok(outcomes.has('d'), [...outcomes].join())
  },
)

test('its own region is checked while NATS is down', WAIT, async () => {
  const own = await startNats()
  const network = await openNatsBus({ url: own.url, onError: () => {} })
  const bus = joinBuses({
    inner: createLocalBus({ onError: () => {} }),
    network,
    onRefused: () => assert.fail(),
  })
  try {
    const place = { region: 'eu', probe: 'a' }
    await bus.serveJobs(place, ({ jobs, reply }) => {
      reply(jobs.map(({ id }) => ({ id, acceptedToStartMs: 1, startedToEndMs: 2, attempt: {} })))
      return 'accepted'
    })
    await own.stop()
    assert.equal(await ask(bus, 'eu'), 'a')
    assert.equal(bus.isConnected(), false)
  } finally {
    await bus.close()
  }
})
