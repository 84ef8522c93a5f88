// An organization whose targets hang fills only its own slots. None of its other checks starts late: one that waited
// more than three seconds is dropped and reported to the operator, and is not an outage.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { toUuid } from '../../kit/ids.ts'
import type { Monitor } from '../../kit/shapes.ts'
import { type Page, startWeb, type Web } from '../../kit/targets/web.ts'
import { type Engine, startEngine } from './fixture.ts'

const SLOTS = 2
const HANG_SECONDS = 4
const HANG_MS = HANG_SECONDS * 1000
// A dropped check is repeated 5 s later, unless its next slot comes first.
const REPEAT_MS = 5000
const NEXT_MS = { from: 6500, to: 8300 }
// How long before their slot the hanging checks begin.
const LEAD_MS = 400
const LONGEST_WAIT_MS = 20_000
const SETTLED_MS = 13_000
const FASTEST_SECONDS = 30
const SLOWEST_SECONDS = 86_400

type Watched = Monitor & { page: Page }

let web: Web
let engine: Engine
let hanging: Watched[]
let requested: Watched
let again: Watched
let soon: Watched
let neighbor: Watched
before(async () => {
  web = await startWeb()
  const env = { PROBE_CAPACITY_PER_ORGANIZATION: String(SLOTS) }
  engine = await startEngine({ nats: false, env })
  hanging = await Promise.all([watch(HANG_SECONDS), watch(HANG_SECONDS)])
  requested = await watch()
  again = await watch()
  soon = await watch()
  neighbor = await watch(10, engine.stack.keys.otherOrganization)
})
after(async () => {
  await engine.stop()
  await web.close()
})

/** A monitor that was UP once. */
async function watch(timeoutSeconds = 10, key = engine.stack.keys.full): Promise<Watched> {
  const page = web.page({ status: 200 })
  const api = engine.as(key)
  const fields = { name: 'Capped', type: 'HTTP', url: page.url, timeoutSeconds }
  const made = await api.createMonitor({ ...fields, intervalSeconds: 86_400 })
  for (let monitor = made; ; monitor = await api.getMonitor(made.id)) {
    if (monitor.state === 'UP') {
      api.close()
      return { ...monitor, page }
    }
    await sleep(40)
  }
}

/** A slot off the grid, as creating or resuming a monitor produces one. */
async function makeDue({ id }: Watched, at: Date): Promise<void> {
  await engine.db.setMonitorStatus(id, { next_due_at: at })
}

/** A moment soon, and an interval with which the monitor's next slot on its grid falls within NEXT_MS after it. For about
 * one moment in 14 no interval does. */
function fittingSlot({ id }: Watched): { at: Date; seconds: number } {
  // The last 48 bits of the id determine its slots.
  const tail = Number.parseInt(toUuid(id).slice(-12), 16)
  const earliestMs = Date.now() + LEAD_MS
  for (let atMs = earliestMs; atMs < earliestMs + LONGEST_WAIT_MS; atMs += 100) {
    for (let seconds = FASTEST_SECONDS; seconds <= SLOWEST_SECONDS; seconds++) {
      const ms = seconds * 1000
      const nextMs = ms - ((atMs - (tail % ms)) % ms)
      if (nextMs >= NEXT_MS.from && nextMs <= NEXT_MS.to) return { at: new Date(atMs), seconds }
    }
  }
  return assert.fail('no interval fits')
}

async function inconclusive(): Promise<string[]> {
  const metrics = await (await fetch(`${engine.service.internalUrl}/metrics`)).text()
  return metrics.split('\n').filter((line) => line.startsWith('upvane_checks_inconclusive_total{'))
}

const scheduled = async ({ id }: Watched) =>
  (await engine.resultsOf(id)).filter(({ kind }) => kind === 'SCHEDULED').map((row) => row.verdict)

test('what waited three seconds behind its own organization is dropped, and never an outage', async (t) => {
  for (const { page } of hanging) page.become('SILENCE')
  const { at, seconds } = fittingSlot(soon)
  await sleep(at.getTime() - LEAD_MS - Date.now())
  await engine.db.run('update monitors set interval_seconds = $2 where id = $1', [
    toUuid(soon.id),
    seconds,
  ])
  await makeDue(again, at)
  await makeDue(soon, at)
  const startedMs = performance.now()
  const hung = hanging.map(({ id }) => engine.checkRaw(id))
  await sleep(200)

  const beside = engine.as(engine.stack.keys.otherOrganization)
  const other = await beside.post(`/monitors/${neighbor.id}/check`, {})
  beside.close()
  assert.equal(other.status, 200)
  const besideMs = performance.now() - startedMs - 200
  assert.ok(besideMs < 1000, `another organization waited ${Math.round(besideMs)} ms`)

  // A requested check gets its response when its turn would have come, and the target was not contacted.
  const answer = await engine.checkRaw(requested.id)
  const droppedMs = performance.now() - startedMs
  assert.deepEqual([answer.status, answer.code], [500, 'internal_error'])
  assert.ok(droppedMs > HANG_MS - 100, `dropped after ${Math.round(droppedMs)} ms`)
  assert.ok(droppedMs < HANG_MS + 1000, `dropped after ${Math.round(droppedMs)} ms`)
  assert.equal(requested.page.seen.length, 1)
  assert.deepEqual(await inconclusive(), [
    'upvane_checks_inconclusive_total{type="HTTP",reason="ORG_CAP"} 3',
  ])

  // One of the two slots is due again before it would be repeated: it stays recorded as inconclusive.
  await sleep(SETTLED_MS - (performance.now() - startedMs))
  assert.deepEqual(await scheduled(soon), ['PASSED', 'INCONCLUSIVE', 'PASSED'])
  assert.deepEqual(await scheduled(again), ['PASSED', 'PASSED'])
  for (const { id, page, state } of [again, soon, requested]) {
    const looks = id === requested.id ? 1 : 2
    assert.equal(page.seen.length, looks, 'looked at by a job that had waited too long')
    assert.equal((await engine.api.getMonitor(id)).state, state)
    assert.deepEqual(await engine.incidentsOf(id), [])
    assert.deepEqual(await engine.eventTypesOf(id), ['monitor.up'])
  }
  const lateMs = (again.page.seen[1]?.atMs ?? 0) - startedMs
  t.diagnostic(
    `dropped after ${Math.round(droppedMs)} ms, looked at again after ${Math.round(lateMs)} ms`,
  )
  assert.ok(lateMs > HANG_MS + REPEAT_MS - 100)
  for (const { status, body } of await Promise.all(hung))
    assert.deepEqual([status, body.state], [200, 'DOWN'])
})
