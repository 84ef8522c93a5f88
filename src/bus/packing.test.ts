import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Job } from './bus.ts'
import {
  fitsMessage,
  MAX_MESSAGE_BYTES,
  MAX_PACKET_BYTES,
  MAX_PACKET_ITEMS,
  packJobs,
} from './packing.ts'

test('packJobs: no jobs, no packets', () => {
  assert.deepEqual(packJobs([]), { packets: [], tooLarge: [] })
})

test('packJobs: at most 100 jobs, in order, and the text is theirs', () => {
  const jobs = Array.from({ length: 250 }, (_, index) => jobOf(index, 10))
  const { packets } = packJobs(jobs)

  assert.deepEqual(
    packets.map(({ items }) => items.length),
    [MAX_PACKET_ITEMS, 100, 50],
  )
  assert.deepEqual(
    packets.flatMap(({ text }) => JSON.parse(text)),
    jobs,
  )
})

test('packJobs: at most 256 KiB, counted in bytes and not in characters', () => {
  const jobs = Array.from({ length: 60 }, (_, index) => jobOf(index, 10_000, 'é'))
  const { packets } = packJobs(jobs)

  for (const { text } of packets) assert.ok(Buffer.byteLength(text) <= MAX_PACKET_BYTES)
  // 13 jobs of 20 KB fill a packet: the limit is used, not merely respected.
  assert.deepEqual(
    packets.map(({ items }) => items.length),
    [13, 13, 13, 13, 8],
  )
})

test('packJobs: a packet may be filled to its last byte', () => {
  const overhead = Buffer.byteLength(JSON.stringify(jobOf(0, 0)))
  // Two jobs, one comma and two brackets.
  const filler = MAX_PACKET_BYTES - 2 * overhead - 3 - 1000
  const full = packJobs([jobOf(0, 1000), jobOf(1, filler)])
  assert.deepEqual(
    full.packets.map(({ text }) => Buffer.byteLength(text)),
    [MAX_PACKET_BYTES],
  )
  const more = packJobs([jobOf(0, 1000), jobOf(1, filler + 1)])
  assert.equal(more.packets.length, 2)
})

test('packJobs: a larger job travels alone, one too large for any message is named', () => {
  const [small, large, huge, last] = [
    jobOf(0, 10),
    jobOf(1, 600_000),
    jobOf(2, MAX_MESSAGE_BYTES),
    jobOf(3, 10),
  ]
  const { packets, tooLarge } = packJobs([small, large, huge, last])

  assert.deepEqual(
    packets.map(({ items }) => items),
    [[small], [large], [last]],
  )
  assert.deepEqual(tooLarge, [huge])
})

test('fitsMessage: the bound is in bytes', () => {
  assert.equal(fitsMessage('x'.repeat(MAX_MESSAGE_BYTES)), true)
  assert.equal(fitsMessage('x'.repeat(MAX_MESSAGE_BYTES + 1)), false)
  assert.equal(fitsMessage('é'.repeat(MAX_MESSAGE_BYTES / 2 + 1)), false)
})

function jobOf(index: number, length: number, letter = 'x'): Job {
  const target = letter.repeat(length)
  return { id: `job-${index}`, orgId: 'org_1', attempt: 1, budgetMs: 1000, target }
}
