// Packing is killed at any moment, with and without its database: no result is lost, and none is there twice. Readers see
// every result all the time, and results that arrive late meanwhile are kept.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { midnight } from '../../../test/db-kit/packed-days.ts'
import {
  countUnpacked,
  fillDay,
  type Installation,
  openInstallation,
  readHistories,
  readHistory,
  startWorker,
} from '../../../test/db-kit/packing/installation.ts'
import { Database } from '../core/db.ts'
import { insertResults, type ResultRow } from './results.ts'

const PACK_KILLS = Number(process.env['PACK_KILLS'] ?? 15)
const PACK_POSTGRES_KILLS = Number(process.env['PACK_POSTGRES_KILLS'] ?? 2)
const MONITORS = 40
const FIRST_DAYS = 3
// About as long as a worker needs for one day.
const MAX_ALIVE_MS = 250
const MAX_WORK_MS = 60_000
// Every fourth monitor gets late results; the others are compared all the time.
const isLate = (_no: number, index: number) => index % 4 === 3

let installation: Installation
let client: pg.Client
let nextDay = 2
before(async () => {
  installation = await openInstallation(MONITORS)
  client = await installation.connect()
  for (let n = 0; n < FIRST_DAYS; n++) await fillDay(client, nextDay++)
})
after(async () => {
  await client?.end().catch(() => {})
  await installation?.stop()
})

test(`kill -9 of packing at ${PACK_KILLS} random moments, two at once: nothing lost, nothing doubled, no gap for readers`, async (t) => {
  const steady = installation.monitors.filter((no, index) => !isLate(no, index))
  const receiving = installation.monitors.filter(isLate)
  const watch = await startWatching(steady)
  const writer = startLateWriter(receiving)
  let stoppedHalfway = 0
  for (let kill = 0; kill < PACK_KILLS; kill++) {
    if ((await countUnpacked(client)) === 0)
      await watch.pausedWhile(() => fillDay(client, nextDay++))
    const [victim, other] = await Promise.all([
      startWorker(installation),
      startWorker(installation),
    ])
    await sleep(randomInt(MAX_ALIVE_MS))
    victim.child.kill('SIGKILL')
    other.child.kill('SIGKILL')
    await Promise.all([victim.ended, other.ended])
    if ((await progress()) === 'HALFWAY') stoppedHalfway += 1
  }
  await writer.stop()
  await finish()
  const reads = await watch.stop()

  t.diagnostic(JSON.stringify({ stoppedHalfway, reads, days: nextDay - 2, late: writer.count }))
  assert.ok(stoppedHalfway > 0, 'no kill fell into a day')
  assert.ok(reads > 100, `${reads} reads`)
  assert.ok(writer.count > 0, 'nothing came late')
  assert.equal(await countUnpacked(client), 0)
  for (const [no, { text, count }] of await readHistories(client, receiving)) {
    const own = writer.recorded.get(no) ?? []
    assert.equal(count, (nextDay - 2) * 288 + own.length, `monitor ${no}`)
    for (const slot of own) assert.equal(text.split(slot).length, 2, `${no} at ${slot}`)
  }
})

test(`its connection is ended at ${PACK_KILLS} random moments: the same`, async () => {
  for (let n = 0; n < FIRST_DAYS; n++) await fillDay(client, nextDay++)
  const before = await readHistories(client, installation.monitors)
  let ended = 0
  for (let kill = 0; kill < PACK_KILLS && (await countUnpacked(client)) > 0; kill++) {
    const worker = await startWorker(installation)
    await sleep(randomInt(MAX_ALIVE_MS))
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    )
    ended += rowCount ?? 0
    worker.child.kill('SIGKILL')
    await worker.ended
  }
  assert.ok(ended > 0, 'no connection was ended')
  assert.deepEqual(await readHistories(client, installation.monitors), before)
  await finish()
  assert.equal(await countUnpacked(client), 0)
  assert.deepEqual(await readHistories(client, installation.monitors), before)
})

test(`kill -9 of PostgreSQL, ${PACK_POSTGRES_KILLS} times while it packs: the same`, async () => {
  for (let n = 0; n < FIRST_DAYS; n++) await fillDay(client, nextDay++)
  const before = await readHistories(client, installation.monitors)
  for (let kill = 0; kill < PACK_POSTGRES_KILLS; kill++) {
    const worker = await startWorker(installation)
    await sleep(randomInt(MAX_ALIVE_MS))
    await installation.postgres.kill()
    await worker.ended
    await installation.postgres.restart()
    client = await installation.connect()
    assert.deepEqual(await readHistories(client, installation.monitors), before, `kill ${kill}`)
  }
  await finish()
  assert.equal(await countUnpacked(client), 0)
  assert.deepEqual(await readHistories(client, installation.monitors), before)
})

/** One worker that nobody kills. */
async function finish(): Promise<void> {
  const deadline = performance.now() + MAX_WORK_MS
  // A reader may keep it from publishing a day.
  while ((await countUnpacked(client)) > 0 && performance.now() < deadline) {
    const worker = await startWorker(installation)
    assert.equal(await worker.ended, 0)
  }
}

async function progress(): Promise<'HALFWAY' | 'BETWEEN'> {
  const { rows } = await client.query<{ halfway: boolean }>(
    `select after_monitor_no between 1 and 9223372036854775806 as halfway from packing_progress`,
  )
  return rows[0]?.halfway === true ? 'HALFWAY' : 'BETWEEN'
}

/** Compares one monitor after the other with what it was, over and over. */
async function startWatching(monitors: readonly number[]) {
  const reader = await installation.connect()
  let expected = await readHistories(reader, monitors)
  let reads = 0
  let isStopped = false
  let round = Promise.resolve()
  const lookOnce = async () => {
    for (const no of monitors) {
      if (isStopped) return
      assert.deepEqual(await readHistory(reader, no), expected.get(no), `monitor ${no}`)
      reads += 1
    }
  }
  const running = (async () => {
    while (!isStopped) {
      round = round.then(lookOnce)
      await round
      await sleep(1)
    }
  })()
  // Its failure is reported by stop; until then it must not end the process.
  running.catch(() => {})
  return {
    async pausedWhile(work: () => Promise<void>) {
      round = round.then(work).then(async () => {
        expected = await readHistories(reader, monitors)
      })
      await round
    },
    async stop() {
      isStopped = true
      await running
      await reader.end()
      return reads
    },
  }
}

/** Records a result of a past day every few milliseconds. */
function startLateWriter(monitors: readonly number[]) {
  const { url } = installation
  const engine = new Database({ url, role: 'upvane_engine', connections: 1 }, () => {})
  const recorded = new Map<number, string[]>()
  let isStopped = false
  let count = 0
  const running = (async () => {
    while (!isStopped) {
      const monitorNo = monitors[count % monitors.length] ?? 0
      // Each at another second of the first three days, never on the grid.
      const slot = new Date(midnight(2 + (count % FIRST_DAYS)).getTime() + count * 1000 + 7)
      await engine.transaction(undefined, (tx) => insertResults(tx, [late(monitorNo, slot)]))
      const text = `${slot.toISOString().replace('T', ' ').slice(0, -1)}+00`
      recorded.set(monitorNo, [...(recorded.get(monitorNo) ?? []), text])
      count += 1
      await sleep(20)
    }
  })()
  running.catch(() => {})
  return {
    recorded,
    get count() {
      return count
    },
    async stop() {
      isStopped = true
      await running
      await engine.close()
    },
  }
}

const late = (monitorNo: number, slot: Date): ResultRow => ({
  monitorNo,
  slot,
  kind: 'SCHEDULED',
  verdict: 'PASSED',
  fate: 'FOLDED',
  responseMs: 33,
  statusCode: 200,
  regionNo: 1,
  causeCode: null,
  timings: null,
})
