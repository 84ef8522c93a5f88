import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { keepBusy } from '../../../test/kit/cpu-time.ts'
import {
  type Block,
  nameOperation,
  outsideOperation,
  SUSPENDED,
  startEventLoopWatch,
  UNKNOWN,
  watched,
} from './event-loop-watch.ts'

const BUSY_MS = 300
// Longer than a tick of the watch.
const SETTLE_MS = 60
const blocks: Block[] = []
const watch = startEventLoopWatch((block) => blocks.push(block))
after(() => watch.stop())

async function blocksOf(work: () => unknown): Promise<string[]> {
  await delay(SETTLE_MS)
  blocks.length = 0
  await work()
  await delay(SETTLE_MS)
  return blocks.filter(({ operation }) => operation !== SUSPENDED).map(({ operation }) => operation)
}

test('a quiet process reports nothing', async () => {
  assert.deepEqual(await blocksOf(() => watched('quiet', () => delay(500))), [])
})

test('a block is reported with its operation and length', async () => {
  assert.deepEqual(await blocksOf(() => watched('busy', () => keepBusy(BUSY_MS))), ['busy'])
  const [{ blockedMs, cpuMs } = { blockedMs: 0, cpuMs: 0 }] = blocks
  assert.ok(blockedMs >= BUSY_MS && cpuMs >= BUSY_MS, JSON.stringify(blocks))
})

test('the operation is found after it waited, noted or not', async () => {
  const noted = () =>
    watched('noted', async () => {
      await outsideOperation(delay(60))
      keepBusy(BUSY_MS)
      await delay(10)
    })
  const last = () =>
    watched('last', async () => {
      await delay(60)
      keepBusy(BUSY_MS)
    })
  const beforeWaiting = () =>
    watched('before waiting', async () => {
      await delay(60)
      keepBusy(BUSY_MS)
      await outsideOperation(delay(60))
    })
  assert.deepEqual(await blocksOf(noted), ['noted'])
  assert.deepEqual(await blocksOf(last), ['last'])
  assert.deepEqual(await blocksOf(beforeWaiting), ['before waiting'])
})

test('of many that run side by side the busy one is named', async () => {
  const others = (name: string) =>
    watched(name, async () => {
      for (let turn = 0; turn < 20; turn++) await outsideOperation(delay(5))
    })
  const busy = () =>
    watched('busy', async () => {
      await outsideOperation(delay(40))
      keepBusy(BUSY_MS)
      await outsideOperation(delay(1))
    })
  const all = () => Promise.all([others('a'), busy(), others('b'), others('c')])
  assert.deepEqual(await blocksOf(all), ['busy'])
})

test('an operation within another has the name, and gives it back', async () => {
  const inner = () => watched('outer', () => watched('inner', () => keepBusy(BUSY_MS)))
  const outer = () =>
    watched('outer', () => {
      watched('inner', () => {})
      keepBusy(BUSY_MS)
    })
  assert.deepEqual(await blocksOf(inner), ['inner'])
  assert.deepEqual(await blocksOf(outer), ['outer'])
})

test('an operation may get its name late, also in a request of a server', async () => {
  const server = createServer((_request, response) =>
    watched('http', async () => {
      await outsideOperation(delay(20))
      nameOperation('createMonitor')
      keepBusy(BUSY_MS)
      response.end()
    }),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const found = await blocksOf(async () => {
    const [response] = await once(get({ port, agent: false }), 'response')
    await once(response.resume(), 'end')
  })
  server.close()
  assert.deepEqual(found, ['createMonitor'])
})

test('what nobody noted is unknown, and a failure ends its operation', async () => {
  assert.deepEqual(await blocksOf(() => keepBusy(BUSY_MS)), [UNKNOWN])
  const failing = async () => {
    await assert.rejects(watched('failing', () => Promise.reject(new Error('planted'))))
    await delay(20)
    keepBusy(BUSY_MS)
  }
  assert.deepEqual(await blocksOf(failing), [UNKNOWN])
})

test('a process that was stopped is not the fault of its operation', async () => {
  await delay(SETTLE_MS)
  blocks.length = 0
  watched('asleep', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS))
  await delay(SETTLE_MS)
  assert.deepEqual(
    blocks.map(({ operation }) => operation),
    [SUSPENDED],
  )
})

test('hasStalledSince: from the block on, and before the late tick ran', async () => {
  await delay(SETTLE_MS)
  const startMs = performance.now()
  keepBusy(BUSY_MS)
  assert.equal(watch.hasStalledSince(startMs), true)
  await delay(SETTLE_MS)
  assert.equal(watch.hasStalledSince(startMs), true)
  assert.equal(watch.hasStalledSince(performance.now()), false)
})
