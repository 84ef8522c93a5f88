import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import type { ReceivedPing } from '../../actions/results/record-pings.ts'
import { HeldReports } from './held-reports.ts'

const log = pino({ level: 'silent' })
// Those that end in a dash and something have one monitor.
const keyOf = (token: string) => token.replace(/-.+$/, '')
const report = (token: string, receivedMs: number): ReceivedPing => ({
  token,
  signal: 'FAIL',
  rid: null,
  body: null,
  receivedMs,
})

function open() {
  const applied: string[] = []
  const held = new HeldReports(
    async ({ token, receivedMs, mayChange }) => {
      applied.push(`${token}${receivedMs}`)
      assert.equal(mayChange?.(), true)
    },
    log,
    keyOf,
  )
  return { held, applied }
}

test('only the last report of a token is applied, when its time comes', async () => {
  const { held, applied } = open()
  held.hold(report('a', 1), 20)
  held.hold(report('a', 3), 20)
  held.hold(report('a', 2), 0)
  held.hold(report('b', 1), 20)
  assert.deepEqual(applied, [])
  await delay(60)
  assert.deepEqual(applied, ['a3', 'b1'])
})

test('a newer report makes the one that waits obsolete, an older one does not', async () => {
  const { held, applied } = open()
  held.hold(report('a', 5), 20)
  held.hold(report('b', 5), 20)
  held.supersede(report('a', 6))
  held.supersede(report('b', 4))
  await delay(60)
  assert.deepEqual(applied, ['b5'])
})

test('only the last report of a monitor is applied, whichever of its tokens it came by', async () => {
  const { held, applied } = open()
  held.hold(report('a', 1), 20)
  held.hold(report('a-alias', 2), 20)
  held.hold(report('b-alias', 1), 20)
  held.supersede(report('b', 2))
  await delay(60)
  assert.deepEqual(applied, ['a-alias2'])
})

test('flush applies everything at once, and nothing twice', async () => {
  const { held, applied } = open()
  held.hold(report('a', 1), 20)
  held.hold(report('b', 2), 60_000)
  await held.flush()
  await delay(40)
  assert.deepEqual(applied.toSorted(), ['a1', 'b2'])
})

test('more than 5,000 tokens: what has no room is applied now, and nothing is lost', async () => {
  const { held, applied } = open()
  for (let i = 0; i < 5_010; i++) held.hold(report(`t${i}-`, 1), 60_000)
  await delay(20)
  assert.equal(applied.length, 10)
  await held.flush()
  assert.equal(new Set(applied).size, 5_010)
})

test('a failed write is tried again unless a newer report came', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let failures = 2
  const applied: number[] = []
  const held = new HeldReports(
    async ({ receivedMs }) => {
      if (failures-- > 0) throw new Error('no database')
      applied.push(receivedMs)
    },
    log,
    keyOf,
  )
  held.hold(report('a', 1), 100)
  for (const ms of [100, 5_000, 5_000]) {
    t.mock.timers.tick(ms)
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.deepEqual(applied, [1])
})
