// Jobs that find the probes busy, on the bus of a single process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startPace } from '../../../test/kit/pace.ts'
import { openJobSender } from '../../../test/samples/job-sender.ts'
import type { HandlePacket, ProbeAnnouncement } from '../../bus/bus.ts'
import type { ProbeTask } from './probe.ts'

const live: ProbeAnnouncement[] = []
const { bus, conduct, sender } = openJobSender(live)

const FINDING = { outcome: 'OK', durationMs: 3, sent: false, stalled: false, controlReached: null }

const accept: HandlePacket = ({ jobs, reply }) => {
  const times = { acceptedToStartMs: 0, startedToEndMs: 3 }
  reply(jobs.map(({ id }) => ({ id, ...times, attempt: FINDING })))
  return 'accepted'
}

const serve = (region: string, take: HandlePacket) =>
  bus.serveJobs({ region, probe: `probe-${region}` }, take)

const attempt = (region: string, sendsOnce = false) =>
  sender.attempt(region, {
    orgId: '019aa000-0000-7000-8000-0000000000aa',
    number: 1,
    budgetMs: 5000,
    task: {} as ProbeTask,
    sendsOnce,
  })

test('the only job of a region is sent again until a busy probe accepts it', async () => {
  const REFUSALS = 4
  // Several, because a timer fires early only now and then.
  const regions = Array.from({ length: 8 }, (_, i) => `lonely-${i}`)
  for (const region of regions) {
    let refused = 0
    await serve(region, (packet) => (refused++ < REFUSALS ? 'busy' : accept(packet)))
  }
  const pace = startPace()
  const startedMs = performance.now()
  const attempts = await Promise.all(regions.map((region) => attempt(region)))
  const tookMs = performance.now() - startedMs
  assert.deepEqual(new Set(attempts.map(({ outcome }) => outcome)), new Set(['OK']))
  assert.ok(tookMs < 3000 + pace.slackMs(), `took ${tookMs} ms, the pauses take 1,200`)
})

test('a probe with room for one job gets two that were started together', async () => {
  let running = 0
  await serve('small', (packet) => {
    if (running + packet.jobs.length > 1) return 'busy'
    running += 1
    void delay(50).then(() => {
      running -= 1
      accept(packet)
    })
    return 'accepted'
  })
  const pace = startPace()
  const startedMs = performance.now()
  const attempts = await Promise.all([attempt('small'), attempt('small')])
  assert.ok(attempts.every(({ outcome }) => outcome === 'OK'))
  const tookMs = performance.now() - startedMs
  assert.ok(tookMs < 1500 + pace.slackMs(), `took ${tookMs} ms`)
})

const talkNonsense: HandlePacket = ({ jobs, reply }) => {
  reply(jobs.map(({ id }) => ({ id, acceptedToStartMs: 0, startedToEndMs: 3, attempt: {} })))
  return 'accepted'
}
const announce = (region: string, probe: string) =>
  live.push({ region, probe, capacity: 9, inFlight: 0, can: ['HTTP'], isDirect: true })

test('a probe that sends nonsense three times gets no jobs, and its region is served by the others', async () => {
  const region = 'mixed'
  let served = 0
  await bus.serveJobs({ region, probe: 'bad' }, (packet) => {
    served += 1
    return talkNonsense(packet)
  })
  announce(region, 'bad')
  for (let i = 0; i < 3; i++) {
    const { outcome } = await attempt(region)
    assert.equal(outcome, 'FAULT')
  }
  await bus.serveJobs({ region, probe: 'good' }, accept)
  announce(region, 'good')
  const attempts = await Promise.all(Array.from({ length: 50 }, () => attempt(region, true)))
  assert.deepEqual(new Set(attempts.map(({ outcome }) => outcome)), new Set(['OK']))
  for (let i = 0; i < 20; i++) assert.equal((await attempt(region, true)).outcome, 'OK')
  assert.equal(served, 3, 'nothing reached it any more, not even requests that are sent once')
  assert.deepEqual(
    conduct.findings(performance.now()).map(({ code, subject }) => [code, subject]),
    [['PROBE_FAULT', 'mixed bad']],
  )
})

test('jobs that a probe holds when it is found out go to another one at once', async () => {
  const region = 'held'
  let isHolding = true
  let holds = 0
  await bus.serveJobs({ region, probe: 'bad' }, (packet) => {
    if (!isHolding) return talkNonsense(packet)
    holds += packet.jobs.length
    return 'accepted'
  })
  announce(region, 'bad')
  const held = attempt(region)
  const once = attempt(region, true)
  while (holds < 2) await delay(5)
  isHolding = false
  for (let i = 0; i < 2; i++) await attempt(region)
  await bus.serveJobs({ region, probe: 'good' }, accept)
  announce(region, 'good')
  const startedMs = performance.now()
  while (!conduct.isSuspended({ region, probe: 'bad' }, performance.now())) await attempt(region)
  assert.equal((await held).outcome, 'OK')
  const kept = await once
  assert.ok(
    kept.outcome === 'FAULT' && kept.reason === 'PROBE_FAULT',
    'its request may have been sent',
  )
  assert.ok(performance.now() - startedMs < 1000)
})

test('where probes cannot be addressed one by one, nothing counts from the one that sent nonsense', async () => {
  const region = 'older'
  const lie = { ...FINDING, outcome: 'FAILED', causeCode: 'UNEXPECTED_STATUS', cause: 'HTTP 500' }
  let heard = 0
  await bus.serveJobs({ region, probe: 'bad' }, (packet) => {
    heard += 1
    if (heard <= 3) return talkNonsense(packet)
    const times = { acceptedToStartMs: 0, startedToEndMs: 3 }
    packet.reply(packet.jobs.map(({ id }) => ({ id, ...times, attempt: lie })))
    return 'accepted'
  })
  for (let i = 0; i < 3; i++) await attempt(region)
  await bus.serveJobs({ region, probe: 'good' }, accept)
  const attempts = []
  for (let i = 0; i < 40; i++) attempts.push(await attempt(region))
  assert.ok(heard > 3)
  const last = await attempt(region, true)
  const outcomes = new Set([...attempts, last].map(({ outcome }) => outcome))
  assert.ok(!outcomes.has('FAILED') && outcomes.has('OK'))
})
