// Monitors that are down before, in and after a window created through the API: which events are published, in which
// order, and no others. Checks, starts and ends are real.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startWeb } from '../../kit/targets/web.ts'
import {
  createWindow,
  fromNow,
  getWindow,
  spansOf,
  WINDOWS,
  windowNews,
} from '../../kit/windows.ts'
import { startEngine } from '../engine/fixture.ts'

const web = await startWeb()
const engine = await startEngine({ nats: false })
const { api, db } = engine
after(async () => {
  await engine.stop()
  await web.close()
})

const AHEAD_MS = 4_000
const LENGTH_MS = 10_000
const POLL_MS = 100
const MAX_WAIT_MS = 60_000

async function untilStatus(id: string, status: string): Promise<void> {
  for (let waitedMs = 0; (await getWindow(api, id)).status !== status; waitedMs += POLL_MS) {
    assert.ok(waitedMs < MAX_WAIT_MS, `never ${status}`)
    await delay(POLL_MS)
  }
}

const DOWN = ['monitor.down', 'incident.opened']
type Row = [before: boolean, during: boolean, after: boolean, eventTypes: string[][]]
// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  // up?  up?    up?     before          during                 after
  [true,  true,  true,  [['monitor.up'], [],                    []]],
  [true,  true,  false, [['monitor.up'], [],                    DOWN]],
  [true,  false, true,  [['monitor.up'], [],                    ['monitor.up']]],
  [true,  false, false, [['monitor.up'], [],                    ['incident.opened']]], // already DOWN
  [false, true,  true,  [DOWN,           ['incident.resolved'], []]],
  [false, true,  false, [DOWN,           ['incident.resolved'], DOWN]],
  [false, false, true,  [DOWN,           [],                    ['monitor.up', 'incident.resolved']]],
  [false, false, false, [DOWN,           [],                    []]],
]
const word = (isUp: boolean) => (isUp ? 'UP' : 'DOWN')
const respond = (isUp: boolean) => ({ status: isUp ? 200 : 404 })

describe('before, in and after a window', { concurrency: 8 }, () => {
  for (const [before, during, behind, eventTypes] of rows)
    test(`${word(before)}, ${word(during)}, ${word(behind)}: ${eventTypes.flat().join(', ')}`, async () => {
      const page = web.page(respond(before))
      const { id, state } = await engine.createChecked({ type: 'HTTP', url: page.url })
      const phases = [await engine.eventTypesOf(id)]
      const states = [state]
      const look = async (isUp: boolean) => {
        page.become(respond(isUp))
        states.push((await engine.check(id)).state)
        phases.push((await engine.eventTypesOf(id)).slice(phases.flat().length))
      }

      const span = { startsAt: fromNow(AHEAD_MS), endsAt: fromNow(AHEAD_MS + LENGTH_MS) }
      const cover = { allMonitors: false, monitorIds: [id] }
      const window = await createWindow(api, { ...span, ...cover })
      await untilStatus(window.id, 'ACTIVE')
      await look(during)
      await untilStatus(window.id, 'COMPLETED')
      await look(behind)

      assert.deepEqual(phases, eventTypes)
      assert.deepEqual(states, [before, during, behind].map(word), 'the state follows all the same')
      const incidents = await engine.incidentsOf(id)
      for (const { startedAt } of incidents)
        assert.ok(startedAt < span.startsAt || startedAt >= span.endsAt, 'none began inside')
      await untilPublished(window.id, ['scheduled', 'started', 'ended'])
      const [covered, ...more] = await spansOf(db, window.id)
      assert.deepEqual([covered?.from, covered?.to, more], [span.startsAt, span.endsAt, []])
    })
})

async function untilPublished(id: string, news: string[]): Promise<void> {
  for (let waitedMs = 0; waitedMs < MAX_WAIT_MS; waitedMs += POLL_MS) {
    if ((await windowNews(db, id)).length >= news.length) break
    await delay(POLL_MS)
  }
  assert.deepEqual(await windowNews(db, id), news)
}

describe('changed while it is open', { concurrency: 4 }, () => {
  const active = () => ({ startsAt: fromNow(-60_000), endsAt: fromNow(600_000) })
  const downInside = async () => {
    const page = web.page({})
    const { id } = await engine.createChecked({ type: 'HTTP', url: page.url })
    const window = await createWindow(api, { ...active(), allMonitors: false, monitorIds: [id] })
    page.become({ status: 404 })
    assert.equal((await engine.check(id)).state, 'DOWN')
    assert.deepEqual(await engine.eventTypesOf(id), ['monitor.up'])
    return { id, path: `${WINDOWS}/${window.id}` }
  }
  const other = async () => {
    const { id } = await engine.createChecked({ type: 'HTTP', url: web.page({}).url })
    return id
  }

  const endings: [string, (path: string) => Promise<unknown>][] = [
    ['ended early', (path) => api.patch(path, { endsAt: fromNow(0) })],
    ['deleted', (path) => api.delete(path)],
    ['left by the monitor', async (path) => api.patch(path, { monitorIds: [await other()] })],
  ]
  for (const [how, end] of endings)
    test(`a window that is ${how}: the next failed check opens an incident with its own time`, async () => {
      const { id, path } = await downInside()
      await end(path)
      const endedAt = new Date().toISOString()
      await engine.check(id)
      assert.deepEqual(await engine.eventTypesOf(id), ['monitor.up', 'incident.opened'])
      assert.ok((await engine.incidentOf(id)).startedAt >= endedAt)
    })

  test('a monitor that joins an open window is silent from its next check on', async () => {
    const page = web.page({})
    const { id } = await engine.createChecked({ type: 'HTTP', url: page.url })
    const listed = { allMonitors: false, monitorIds: [await other()] }
    const window = await createWindow(api, { ...active(), ...listed })
    const joined = { monitorIds: [...listed.monitorIds, id] }
    assert.equal((await api.patch(`${WINDOWS}/${window.id}`, joined)).status, 200)
    page.become({ status: 404 })
    assert.equal((await engine.check(id)).state, 'DOWN')
    assert.deepEqual(await engine.eventTypesOf(id), ['monitor.up'])
  })
})

test('a monitor made inside a window over all monitors is silent from its first check on', async () => {
  const span = { startsAt: fromNow(-60_000), endsAt: fromNow(600_000) }
  const { id: windowId } = await createWindow(api, span)
  const page = web.page({ status: 404 })
  const { id, state } = await engine.createChecked({ type: 'HTTP', url: page.url })
  assert.equal(state, 'DOWN')
  assert.deepEqual(await engine.eventTypesOf(id), [])
  await api.delete(`${WINDOWS}/${windowId}`)
  await engine.check(id)
  assert.deepEqual(await engine.eventTypesOf(id), ['incident.opened'])
})
