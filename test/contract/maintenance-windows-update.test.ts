// Changes to maintenance windows: the resulting window, its events and the monitors it covers. An occurrence that has
// started is never rewritten, except for its end.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { toId, toUuid } from '../kit/ids.ts'
import type { MaintenanceWindow } from '../kit/window-shapes.ts'
import {
  ageWindow,
  createWindow,
  DAY_MS,
  fromNow,
  getWindow,
  HOUR_MS,
  monitorNo,
  seedPage,
  spansOf,
  WINDOWS,
  windowEvents,
  windowNews,
  windowOf,
} from '../kit/windows.ts'

const fixture = await startProduct()
const { api, db } = fixture
after(() => fixture.stop())

const [first, second] = [await api.createMonitor(), await api.createMonitor()]
const [firstNo, secondNo] = [await monitorNo(db, first.id), await monitorNo(db, second.id)]
const patch = (id: string, body: unknown) => api.patch(`${WINDOWS}/${id}`, body)
const change = async (id: string, body: unknown) => windowOf(await patch(id, body))
const daily = { recurrence: { frequency: 'DAILY' } }
const over = (startMs: number, endMs: number) => ({
  startsAt: fromNow(startMs),
  endsAt: fromNow(endMs),
  allMonitors: false,
  monitorIds: [first.id],
})
/** Started a minute ago according to its schedule, with one hour to go. */
const startNow = (fields = {}) => createWindow(api, { ...over(-60_000, HOUR_MS), ...fields })

describe('updateMaintenanceWindow', { concurrency: 8 }, () => {
  test('updateMaintenanceWindow 200: changes what is given and keeps the rest', async () => {
    const before = await createWindow(api, { description: 'Before', ...daily })
    const after = await change(before.id, { name: 'After', showOnStatusPages: false })
    const { updatedAt, ...rest } = after
    const expected = { ...before, name: 'After', showOnStatusPages: false }
    assert.deepEqual({ ...rest, updatedAt: before.updatedAt }, expected)
    assert.ok(updatedAt > before.updatedAt)
    assert.deepEqual(await getWindow(api, before.id), after)
    assert.deepEqual(await windowNews(db, before.id), ['scheduled'])
  })

  test('updateMaintenanceWindow 200: nothing given or nothing new changes nothing', async () => {
    const weekly = { recurrence: { frequency: 'WEEKLY' }, timezone: 'Asia/Tokyo' }
    for (const fields of [{}, weekly, { monitorIds: [first.id, second.id] }]) {
      const before = await createWindow(api, fields)
      const noChanges = [{}, { name: before.name }, before, { other: 1, status: 'ACTIVE' }]
      for (const body of noChanges) assert.deepEqual(await change(before.id, body), before)
    }
  })

  test('updateMaintenanceWindow 200: what has a value can lose it', async () => {
    const { id } = await createWindow(api, { description: 'Gone soon', ...daily })
    const window = await change(id, { description: null, recurrence: null })
    assert.deepEqual([window.description, window.recurrence], [null, null])
    assert.equal(window.upcomingOccurrences.length, 1)
  })

  test('updateMaintenanceWindow 200: a recurrence is replaced whole', async () => {
    const recurrence = { frequency: 'WEEKLY', interval: 3, daysOfWeek: ['MONDAY'] }
    const { id } = await createWindow(api, { recurrence })
    const after = await change(id, { recurrence: { frequency: 'DAILY' } })
    const expected = { frequency: 'DAILY', interval: 1, daysOfWeek: null, dayOfMonth: null }
    assert.deepEqual(after.recurrence, { ...expected, endsAt: null })
  })

  test('updateMaintenanceWindow 200: a default weekday follows the start, a chosen one stays', async () => {
    const span = { startsAt: '2031-03-28T01:00Z', endsAt: '2031-03-28T02:00Z' } // Friday
    const moved = { startsAt: '2031-03-29T01:00Z', endsAt: '2031-03-29T02:00Z' }
    const rows: [object, string[]][] = [
      [{}, ['SATURDAY']],
      [{ daysOfWeek: ['FRIDAY'] }, ['FRIDAY']],
    ]
    for (const [more, expected] of rows) {
      const recurrence = { frequency: 'WEEKLY', ...more }
      const { id } = await createWindow(api, { ...span, recurrence })
      assert.deepEqual((await change(id, moved)).recurrence?.daysOfWeek, expected)
    }
  })

  test('updateMaintenanceWindow 400: the result is judged as a whole, and applied whole or not at all', async () => {
    const before = await createWindow(api, { ...over(DAY_MS, DAY_MS + HOUR_MS), ...daily })
    const rows: [object, string][] = [
      [{ endsAt: fromNow(DAY_MS - HOUR_MS) }, 'endsAt'],
      [{ startsAt: fromNow(DAY_MS + 2 * HOUR_MS) }, 'endsAt'],
      [{ endsAt: fromNow(32 * DAY_MS) }, 'endsAt'],
      [{ endsAt: fromNow(2 * DAY_MS + HOUR_MS) }, 'endsAt'],
      [{ startsAt: fromNow(-2 * DAY_MS), endsAt: fromNow(-DAY_MS) }, 'endsAt'],
      [{ recurrence: { frequency: 'DAILY', endsAt: fromNow(0) } }, 'recurrence.endsAt'],
      [{ monitorIds: [] }, 'monitorIds'],
      [{ monitorIds: [toId('mon', randomUUID())] }, 'monitorIds.0'],
      [{ statusPageIds: [toId('sp', randomUUID())] }, 'statusPageIds.0'],
    ]
    for (const [body, path] of rows) {
      const answer = await patch(before.id, { name: 'Never', ...body })
      assert.deepEqual([answer.code, ...new Set(answer.paths)], ['validation_error', path])
    }
    assert.deepEqual(await getWindow(api, before.id), before)
  })

  test('updateMaintenanceWindow 400, 404: a wrong body comes before an unknown window, which comes before wrong references', async () => {
    const path = toId('mw', randomUUID())
    assert.equal((await patch(path, { name: '' })).code, 'validation_error')
    assert.equal((await patch(path, {})).code, 'not_found')
    assert.equal((await patch(path, { monitorIds: ['x'] })).code, 'not_found')
    assert.deepEqual((await api.request('PATCH', `${WINDOWS}/${path}`)).paths, ['body'])
  })

  test('updateMaintenanceWindow: of many changes at once each is whole', async () => {
    const { id } = await startNow()
    const bodies = Array.from({ length: 12 }, (_, i) => ({
      name: `Name ${i}`,
      endsAt: fromNow(HOUR_MS + i * 60_000),
      monitorIds: i % 2 === 0 ? [first.id] : [first.id, second.id],
    }))
    await Promise.all(bodies.map((body) => patch(id, body)))
    const window = await getWindow(api, id)
    const body = bodies[Number(window.name.split(' ')[1])]
    const { endsAt, monitorIds } = window
    assert.deepEqual({ name: window.name, endsAt, monitorIds }, body)
    const open = (await spansOf(db, id)).filter(({ to }) => to === endsAt)
    const covered = open.map((span) => span.monitorNo).toSorted()
    assert.deepEqual(covered, monitorIds.length === 1 ? [firstNo] : [firstNo, secondNo])
    assert.deepEqual(await windowNews(db, id), ['scheduled', 'started'])
  })
})

describe('before it begins', { concurrency: 8 }, () => {
  test('updateMaintenanceWindow 200: moved, it covers where it now lies; nothing is published', async () => {
    const { id } = await createWindow(api, over(30_000, HOUR_MS))
    const nearer = { startsAt: fromNow(40_000), endsAt: fromNow(2 * HOUR_MS) }
    await change(id, nearer)
    const span = { monitorNo: firstNo, from: nearer.startsAt, to: nearer.endsAt }
    assert.deepEqual(await spansOf(db, id), [span])
    await change(id, { startsAt: fromNow(DAY_MS), endsAt: fromNow(DAY_MS + HOUR_MS) })
    assert.deepEqual(await spansOf(db, id), [])
    assert.deepEqual(await windowNews(db, id), ['scheduled'])
  })

  test('updateMaintenanceWindow 200: other monitors, other cover', async () => {
    const window = await createWindow(api, over(30_000, HOUR_MS))
    await change(window.id, { monitorIds: [second.id] })
    const span = { monitorNo: secondNo, from: window.startsAt, to: window.endsAt }
    assert.deepEqual(await spansOf(db, window.id), [span])
  })

  test('updateMaintenanceWindow 200: moved over now it starts at once, and counts from now', async () => {
    const { id } = await createWindow(api, over(DAY_MS, DAY_MS + HOUR_MS))
    const window = await change(id, { startsAt: fromNow(-HOUR_MS), endsAt: fromNow(HOUR_MS) })
    assert.equal(window.status, 'ACTIVE')
    const span = { monitorNo: firstNo, from: window.updatedAt, to: window.endsAt }
    assert.deepEqual(await spansOf(db, id), [span])
    const events = await windowEvents(db, id)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['maintenance.scheduled', 'maintenance.started'],
    )
    assert.equal(events[1]?.timestamp, window.updatedAt)
  })
})

describe('while it is active', { concurrency: 8 }, () => {
  test('updateMaintenanceWindow 200: ended now it is COMPLETED, published as ended, and covers until now', async () => {
    const active = await startNow()
    const endsAt = fromNow(0)
    const window = await change(active.id, { endsAt })
    assert.deepEqual([window.status, window.endsAt], ['COMPLETED', endsAt])
    const events = await windowEvents(db, active.id)
    const [, , ended] = events
    assert.deepEqual(
      events.map(({ type }) => type.replace('maintenance.', '')),
      ['scheduled', 'started', 'ended'],
    )
    assert.deepEqual(ended?.data.maintenanceWindow, window)
    const occurrence = { startsAt: active.startsAt, endsAt: window.updatedAt }
    assert.deepEqual([ended.data.occurrence, ended.timestamp], [occurrence, window.updatedAt])
    const span = { monitorNo: firstNo, from: active.createdAt, to: window.updatedAt }
    assert.deepEqual(await spansOf(db, active.id), [span])
  })

  test('updateMaintenanceWindow 200: an earlier end is an end as well, and no time is taken back', async () => {
    const rows: [string, (window: MaintenanceWindow, ended: MaintenanceWindow) => string][] = [
      [fromNow(-30_000), () => fromNow(-30_000).slice(0, 10)],
      ['2020-01-01T00:00Z', (_, ended) => ended.updatedAt],
    ]
    for (const [endsAt, expected] of rows) {
      const active = await startNow()
      const ended = await change(active.id, { endsAt })
      assert.equal(ended.status, 'COMPLETED')
      assert.ok(ended.endsAt.startsWith(expected(active, ended)), ended.endsAt)
      assert.ok(ended.endsAt > ended.startsAt)
      const span = { monitorNo: firstNo, from: active.createdAt, to: ended.updatedAt }
      assert.deepEqual(await spansOf(db, active.id), [span])
      assert.deepEqual(await windowNews(db, active.id), ['scheduled', 'started', 'ended'])
    }
  })

  test('updateMaintenanceWindow 200: a longer or shorter end moves the cover, and nothing is published', async () => {
    const active = await startNow()
    for (const ms of [3 * HOUR_MS, 60_000]) {
      const window = await change(active.id, { endsAt: fromNow(ms) })
      assert.equal(window.status, 'ACTIVE')
      const span = { monitorNo: firstNo, from: active.createdAt, to: window.endsAt }
      assert.deepEqual(await spansOf(db, active.id), [span])
    }
    assert.deepEqual(await windowNews(db, active.id), ['scheduled', 'started'])
  })

  test('updateMaintenanceWindow 200: what has begun keeps its start', async () => {
    const active = await startNow()
    const window = await change(active.id, { startsAt: fromNow(-DAY_MS) })
    assert.equal(window.status, 'ACTIVE')
    const span = { monitorNo: firstNo, from: active.createdAt, to: active.endsAt }
    assert.deepEqual(await spansOf(db, active.id), [span])
  })

  test('updateMaintenanceWindow 200: a monitor that joins is covered from now, one that leaves until now', async () => {
    const active = await startNow()
    const joined = await change(active.id, { monitorIds: [second.id, first.id] })
    const own = { monitorNo: firstNo, from: active.createdAt, to: active.endsAt }
    const other = { monitorNo: secondNo, from: joined.updatedAt, to: active.endsAt }
    assert.deepEqual(await spansOf(db, active.id), [own, other])
    const left = await change(active.id, { monitorIds: [second.id] })
    assert.deepEqual(await spansOf(db, active.id), [{ ...own, to: left.updatedAt }, other])
    const back = await change(active.id, { monitorIds: [first.id, second.id] })
    const again = { ...own, from: back.updatedAt }
    assert.deepEqual(await spansOf(db, active.id), [{ ...own, to: left.updatedAt }, other, again])
    assert.deepEqual(await windowNews(db, active.id), ['scheduled', 'started'])
  })

  test('updateMaintenanceWindow 200: from some monitors to all and back', async () => {
    const organization = await fixture.createOrganization()
    const monitors = [
      await organization.api.createMonitor(),
      await organization.api.createMonitor(),
    ]
    const [a, b] = monitors.map(({ id }) => id)
    const fields = { ...over(-60_000, HOUR_MS), monitorIds: [a] }
    const { id, endsAt } = await createWindow(organization.api, fields)
    const covered = async () =>
      (await spansOf(db, id)).filter(({ to }) => to === endsAt).map((span) => span.monitorNo)
    const numbers = await Promise.all([a, b].map((one) => monitorNo(db, one ?? '')))
    const path = `${WINDOWS}/${id}`
    const all = windowOf(await organization.api.patch(path, { allMonitors: true }))
    assert.deepEqual([all.allMonitors, all.monitorIds], [true, [a]])
    assert.deepEqual((await covered()).toSorted(), numbers.toSorted())
    await organization.api.patch(path, { allMonitors: false })
    assert.deepEqual(await covered(), [numbers[0]])
  })

  test('updateMaintenanceWindow 200: moved into the future it ends, and is SCHEDULED again', async () => {
    const active = await startNow()
    const body = { startsAt: fromNow(DAY_MS), endsAt: fromNow(DAY_MS + HOUR_MS) }
    const window = await change(active.id, body)
    assert.deepEqual([window.status, window.nextOccurrence], ['SCHEDULED', body])
    const events = await windowEvents(db, active.id)
    assert.equal(events[2]?.type, 'maintenance.ended')
    assert.equal(events[2].data.maintenanceWindow.status, 'SCHEDULED')
    const span = { monitorNo: firstNo, from: active.createdAt, to: window.updatedAt }
    assert.deepEqual(await spansOf(db, active.id), [span])
  })

  test('updateMaintenanceWindow 200: made repeating it continues; its rule ended, it continues to its end', async () => {
    const active = await startNow()
    assert.equal((await change(active.id, daily)).upcomingOccurrences.length, 5)
    const last = await change(active.id, {
      recurrence: { frequency: 'DAILY', endsAt: fromNow(0) },
    })
    assert.deepEqual([last.status, last.nextOccurrence], ['ACTIVE', null])
    assert.deepEqual(await windowNews(db, active.id), ['scheduled', 'started'])
    assert.equal((await spansOf(db, active.id)).length, 1)
  })

  test('updateMaintenanceWindow 200: a repeating one that becomes shorter than it already was ends', async () => {
    const active = await startNow(daily)
    const window = await change(active.id, { endsAt: fromNow(-1000) })
    assert.equal(window.status, 'SCHEDULED')
    assert.deepEqual(await windowNews(db, active.id), ['scheduled', 'started', 'ended'])
    const span = { monitorNo: firstNo, from: active.createdAt, to: window.updatedAt }
    assert.deepEqual(await spansOf(db, active.id), [span])
    const wrong = await patch(active.id, { endsAt: active.startsAt })
    assert.deepEqual(wrong.paths, ['endsAt'])
  })
})

describe('when it is over', { concurrency: 8 }, () => {
  test('updateMaintenanceWindow 409: of a COMPLETED window only the words change', async () => {
    const made = await startNow()
    await ageWindow(db, made.id, 2 * HOUR_MS)
    const before = await getWindow(api, made.id)
    assert.equal(before.status, 'COMPLETED')
    const refused: object[] = [
      { endsAt: fromNow(HOUR_MS) },
      { startsAt: fromNow(DAY_MS), endsAt: fromNow(DAY_MS + HOUR_MS) },
      daily,
      { timezone: 'Europe/Berlin' },
      { allMonitors: true },
      { monitorIds: [second.id] },
      { showOnStatusPages: false },
      { notifySubscribers: true },
    ]
    for (const body of refused)
      assert.equal((await patch(made.id, { name: 'No', ...body })).code, 'conflict')
    assert.deepEqual(await getWindow(api, made.id), before)
    const spans = await spansOf(db, made.id)
    const words = { ...before, name: 'Words', description: 'More words' }
    const after = await change(made.id, words)
    assert.deepEqual({ ...after, updatedAt: before.updatedAt }, words)
    assert.deepEqual(await spansOf(db, made.id), spans)
    assert.deepEqual(await windowNews(db, made.id), ['scheduled', 'started', 'ended'])
  })

  test('updateMaintenanceWindow 200: a repeating one that is over can be taken up again, if the plan allows', async () => {
    const organization = await fixture.createOrganization('FREE')
    const { id } = await createWindow(organization.api, daily)
    await ageWindow(db, id, 5 * DAY_MS - HOUR_MS / 2)
    const path = `${WINDOWS}/${id}`
    const until = (endsAt: string | null) => ({ recurrence: { frequency: 'DAILY', endsAt } })
    const stopped = windowOf(await organization.api.patch(path, until(fromNow(0))))
    assert.equal(stopped.status, 'COMPLETED')
    for (let i = 0; i < 5; i++) await createWindow(organization.api)
    assert.equal((await organization.api.patch(path, until(null))).code, 'plan_limit')
    const [other] = ((await organization.api.get(WINDOWS)).json as { data: MaintenanceWindow[] })
      .data
    await organization.api.delete(`${WINDOWS}/${other?.id}`)
    const again = windowOf(await organization.api.patch(path, until(null)))
    assert.equal(again.status, 'SCHEDULED')
    const later = windowOf(await organization.api.patch(path, { name: 'Still open' }))
    assert.equal(later.status, 'SCHEDULED')
  })

  test('updateMaintenanceWindow 200: what fell due before the change is published first', async () => {
    const { id } = await createWindow(api, { ...over(DAY_MS, DAY_MS + HOUR_MS), ...daily })
    await ageWindow(db, id, 3 * DAY_MS - HOUR_MS / 2) // two whole occurrences that no scheduler has processed
    await change(id, { monitorIds: [second.id] })
    const events = await windowEvents(db, id)
    const types = events.map(({ type }) => type.replace('maintenance.', ''))
    assert.deepEqual(types, ['scheduled', 'started', 'ended', 'started', 'ended'])
    const spans = await spansOf(db, id)
    assert.deepEqual(
      spans.map((span) => span.monitorNo),
      [firstNo, firstNo],
    )
    for (const [i, span] of spans.entries()) {
      const occurrence = { startsAt: span.from, endsAt: span.to }
      const [started, ended] = events.slice(1 + 2 * i)
      assert.deepEqual([started?.data.occurrence, ended?.data.occurrence], [occurrence, occurrence])
      assert.deepEqual([started?.timestamp, ended?.timestamp], [span.from, span.to])
      assert.equal(started?.data.maintenanceWindow.status, 'ACTIVE')
      assert.equal(ended?.data.maintenanceWindow.status, 'SCHEDULED')
    }
  })
})

describe('pages', { concurrency: 8 }, () => {
  const isNamed = async (id: string) => {
    const row = await db.one<{ named: boolean }>(
      'select on_named_pages as named from maintenance_windows where id = $1',
      [toUuid(id)],
    )
    return row.named
  }

  test('updateMaintenanceWindow 200: named pages are kept in order; when they are gone it is shown on none', async () => {
    const pages = [await seedPage(db, fixture.orgId), await seedPage(db, fixture.orgId)]
    const { id } = await createWindow(api, { statusPageIds: pages })
    assert.deepEqual(
      await change(id, { statusPageIds: pages.toReversed() }).then((w) => w.statusPageIds),
      pages.toReversed(),
    )
    for (const page of pages) await db.run('delete from status_pages where id = $1', [toUuid(page)])
    const left = await getWindow(api, id)
    assert.deepEqual([left.statusPageIds, await isNamed(id)], [[], true])
    // Sending back what was read does not put the window on every page.
    assert.deepEqual(await change(id, left), left)
    assert.equal(await isNamed(id), true)
    const page = await seedPage(db, fixture.orgId)
    await change(id, { statusPageIds: [page] })
    await change(id, { statusPageIds: [] })
    assert.equal(await isNamed(id), false)
  })
})
