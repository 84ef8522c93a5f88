import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RegionQueue } from './region-queue.ts'

type Job = { no: number; queuedMs: number }

function filled(count: number): RegionQueue<Job> {
  const queue = new RegionQueue<Job>()
  for (let no = 0; no < count; no++) queue.add({ no, queuedMs: no })
  return queue
}

test('a probe that accepts gets everything at once', () => {
  const queue = filled(300)
  assert.equal(queue.sendsInMs(0), 0)
  assert.equal(queue.take(0).length, 300)
  assert.equal(queue.size, 300)
  queue.accepted(300)
  assert.deepEqual([queue.size, queue.sendsInMs(0)], [0, undefined])
})

test('probes that do not answer get a limited number, and the next when they do', () => {
  const queue = filled(100_000)
  const sent = queue.take(0)
  assert.ok(sent.length <= 1000)
  assert.deepEqual([queue.take(0), queue.sendsInMs(0)], [[], undefined])
  queue.accepted(400)
  assert.equal(queue.sendsInMs(0), 0)
  assert.deepEqual(queue.take(0)[0]?.no, sent.length)
})

test('busy probes are asked less and less often, with fewer jobs, the oldest first', () => {
  const queue = filled(100_000)
  const counts: number[] = []
  let nowMs = 0
  let asked = 0
  while (nowMs < 10_000) {
    const jobs = queue.take(nowMs)
    assert.equal(jobs[0]?.no, 0)
    counts.push(jobs.length)
    asked += jobs.length
    queue.refused(jobs.length, jobs, nowMs)
    nowMs += queue.sendsInMs(nowMs) ?? Number.NaN
  }
  assert.equal(counts.at(-1), 1)
  assert.ok(counts.length <= 25, `asked ${counts.length} times`)
  assert.ok(asked < 3000, `sent ${asked} jobs that were refused`)
  assert.equal(queue.size, 100_000)
})

test('packets that were refused together count once', () => {
  const queue = filled(1000)
  const jobs = queue.take(0)
  for (let i = 0; i < 10; i++) queue.refused(100, jobs.slice(100 * i, 100 * i + 100), 1)
  assert.equal(queue.sendsInMs(1), 100)
  assert.equal(queue.take(101).length, 500)
})

test('after a busy time the limit rises again with what is accepted', () => {
  const queue = filled(20_000)
  for (let nowMs = 0; nowMs < 20_000; nowMs += 1000) {
    const jobs = queue.take(nowMs)
    queue.refused(jobs.length, jobs, nowMs)
  }
  let rounds = 0
  for (let nowMs = 30_000; queue.size > 0; rounds++) queue.accepted(queue.take(nowMs).length)
  assert.ok(rounds < 20, `${rounds} rounds`)
})

test('what waits too long is given up, and nothing else', () => {
  const queue = filled(2000)
  queue.take(0)
  assert.equal(queue.dropOlder(1500).length, 500)
  assert.deepEqual(queue.dropOlder(1500), [])
  assert.equal(queue.dropOlder(Number.POSITIVE_INFINITY).length, 500)
})

test('no job is lost or sent twice, whatever probes answer', () => {
  const answers = fc.array(fc.constantFrom('accepted', 'busy', 'lost'), { maxLength: 50 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), answers, (count, all) => {
      const queue = filled(count)
      const done = new Set<number>()
      let nowMs = 0
      for (const answer of all) {
        nowMs += 1000
        const jobs = queue.take(nowMs)
        if (answer === 'busy') queue.refused(jobs.length, jobs, nowMs)
        else if (answer === 'accepted') queue.accepted(jobs.length)
        else queue.lost(jobs.length)
        if (answer === 'busy') continue
        for (const { no } of jobs) {
          assert.ok(!done.has(no))
          done.add(no)
        }
      }
      assert.equal(done.size + queue.size, count)
    }),
  )
})
