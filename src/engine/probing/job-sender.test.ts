// Jobs that find the probes busy, on the bus of a single process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openJobSender } from '../../../test/samples/job-sender.ts'
import type { HandlePacket } from '../../bus/bus.ts'
import type { ProbeTask } from './probe.ts'

const { bus, sender } = openJobSender()

const FINDING = { outcome: 'OK', durationMs: 3, sent: false, stalled: false, controlReached: null }

const accept: HandlePacket = ({ jobs, reply }) => {
  const times = { acceptedToStartMs: 0, startedToEndMs: 3 }
  reply(jobs.map(({ id }) => ({ id, ...times, attempt: FINDING })))
  return 'accepted'
}

const serve = (region: string, take: HandlePacket) =>
  bus.serveJobs({ region, probe: `probe-${region}` }, take)

const attempt = (region: string) =>
  sender.attempt(region, {
    orgId: '019aa000-0000-7000-8000-0000000000aa',
    number: 1,
    budgetMs: 5000,
    task: {} as ProbeTask,
    sendsOnce: false,
  })

test('the only job of a region is sent again until a busy probe accepts it', async () => {
  const REFUSALS = 4
  // Several, because a timer fires early only now and then.
  const regions = Array.from({ length: 8 }, (_, i) => `lonely-${i}`)
  for (const region of regions) {
    let refused = 0
    await serve(region, (packet) => (refused++ < REFUSALS ? 'busy' : accept(packet)))
  }
  const startedMs = performance.now()
  const attempts = await Promise.all(regions.map(attempt))
  const tookMs = performance.now() - startedMs
  assert.deepEqual(new Set(attempts.map(({ outcome }) => outcome)), new Set(['OK']))
  assert.ok(tookMs < 3000, `took ${tookMs} ms, the pauses take 1,200`)
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
  const startedMs = performance.now()
  const attempts = await Promise.all([attempt('small'), attempt('small')])
  assert.ok(attempts.every(({ outcome }) => outcome === 'OK'))
  const tookMs = performance.now() - startedMs
  assert.ok(tookMs < 1500, `took ${tookMs} ms`)
})
