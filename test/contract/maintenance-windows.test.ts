// Maintenance windows: create, read, list and delete. No scheduler processes their starts and ends here, but reads must
// still be correct.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { toId, toUuid } from '../kit/ids.ts'
import { breakMonitor } from '../kit/seed.ts'
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
  soon,
  spansOf,
  WINDOWS,
  windowEvents,
  windowNews,
  windowOf,
} from '../kit/windows.ts'

const fixture = await startProduct()
const { api, db, keys } = fixture
after(() => fixture.stop())

const { id: monitorId } = await api.createMonitor()
const unknown = (prefix: string) => toId(prefix, randomUUID())
const isNow = (text: string, name: string) =>
  assert.ok(Math.abs(Date.parse(text) - Date.now()) < 20_000, `${name} is ${text}`)

describe('createMaintenanceWindow', { concurrency: 8 }, () => {
  test('createMaintenanceWindow 201: the least there is; everything else has its default', async () => {
    const body = { ...soon(), monitorIds: [monitorId] }
    const answer = await api.post(WINDOWS, body)
    const { id, createdAt, updatedAt, ...rest } = windowOf(answer)
    const occurrence = { startsAt: body.startsAt, endsAt: body.endsAt }
    assert.deepEqual(rest, {
      ...body,
      description: null,
      status: 'SCHEDULED',
      timezone: 'UTC',
      recurrence: null,
      allMonitors: false,
      statusPageIds: [],
      showOnStatusPages: true,
      notifySubscribers: false,
      currentOccurrence: null,
      nextOccurrence: occurrence,
      upcomingOccurrences: [occurrence],
    })
    assert.equal(answer.headers['location'], `/api/v1${WINDOWS}/${id}`)
    assert.equal(createdAt, updatedAt)
    isNow(createdAt, 'createdAt')
    assert.deepEqual(await getWindow(api, id), { ...rest, id, createdAt, updatedAt })
  })

  test('createMaintenanceWindow 201: every field as sent', async () => {
    const [second, page] = [await api.createMonitor(), await seedPage(db, fixture.orgId)]
    const body = {
      name: 'Umzug 😀',
      description: 'Alles steht still.',
      startsAt: '2031-03-05T01:30:00.250Z',
      endsAt: '2031-03-05T02:00:00.000Z',
      timezone: 'America/New_York',
      recurrence: {
        frequency: 'WEEKLY',
        interval: 2,
        daysOfWeek: ['THURSDAY', 'TUESDAY'],
        dayOfMonth: null,
        endsAt: '2032-01-01T00:00:00.000Z',
      },
      allMonitors: true,
      monitorIds: [second.id, monitorId],
      statusPageIds: [page],
      showOnStatusPages: false,
      notifySubscribers: true,
    }
    const made = windowOf(await api.post(WINDOWS, body))
    for (const [name, value] of Object.entries(body))
      assert.deepEqual(made[name as keyof MaintenanceWindow], value, name)
    assert.deepEqual(await getWindow(api, made.id), made)
  })

  test('createMaintenanceWindow 201: times in any offset, seconds optional, come back in UTC', async () => {
    const startsAt = '2031-07-01T10:00+02:00'
    const { id } = await createWindow(api, { startsAt, endsAt: '2031-07-01T09:30:00.1239-01:30' })
    const window = await getWindow(api, id)
    assert.equal(window.startsAt, '2031-07-01T08:00:00.000Z')
    assert.equal(window.endsAt, '2031-07-01T11:00:00.123Z')
  })

  test('createMaintenanceWindow 201: a monitor named twice is covered once, in the place it came first', async () => {
    const { id: other } = await api.createMonitor()
    const monitorIds = [other, monitorId, other, monitorId]
    const window = await createWindow(api, { allMonitors: false, monitorIds })
    assert.deepEqual(window.monitorIds, [other, monitorId])
  })

  test('createMaintenanceWindow 201: what a client may not set is ignored', async () => {
    const read = { id: 'mw_x', status: 'COMPLETED', currentOccurrence: 1, createdAt: 'x' }
    const window = await createWindow(api, { ...read, other: 1, organizationId: 'org_x' })
    assert.deepEqual([window.status, window.currentOccurrence], ['SCHEDULED', null])
  })

  test('createMaintenanceWindow: a replay gives the same bytes and makes no second window', async () => {
    const headers = { 'Idempotency-Key': `window-${randomUUID()}` }
    const body = { ...soon(), allMonitors: true, name: 'Once' }
    const first = await api.post(WINDOWS, body, { headers })
    const replay = await api.post(WINDOWS, body, { headers })
    assert.deepEqual([replay.status, replay.isReplayed, replay.text], [201, true, first.text])
    const other = await api.post(WINDOWS, { ...body, name: 'Twice' }, { headers })
    assert.equal(other.code, 'idempotency_conflict')
    assert.deepEqual(await windowNews(db, windowOf(first).id), ['scheduled'])
  })

  test('createMaintenanceWindow 201: it is published as scheduled, with its next occurrence', async () => {
    const window = await createWindow(api)
    const [event, ...more] = await windowEvents(db, window.id)
    assert.deepEqual(more, [])
    assert.equal(event?.type, 'maintenance.scheduled')
    assert.deepEqual(event.data, { maintenanceWindow: window, occurrence: window.nextOccurrence })
    assert.equal(event.timestamp, window.createdAt)
  })
})

describe('inside its own span', { concurrency: 8 }, () => {
  test('createMaintenanceWindow 201: it starts at once, and covers its monitors from now to its end', async () => {
    const { id: own } = await api.createMonitor()
    const span = { startsAt: fromNow(-HOUR_MS), endsAt: fromNow(HOUR_MS) }
    const window = await createWindow(api, { ...span, allMonitors: false, monitorIds: [own] })
    assert.deepEqual([window.status, window.currentOccurrence], ['ACTIVE', span])
    assert.deepEqual([window.nextOccurrence, window.upcomingOccurrences], [null, []])
    const events = await windowEvents(db, window.id)
    const published = events.map(({ type, timestamp, data }) => [type, timestamp, data.occurrence])
    assert.deepEqual(published, [
      ['maintenance.scheduled', window.createdAt, span],
      ['maintenance.started', window.createdAt, span],
    ])
    assert.equal(events[1]?.data.maintenanceWindow.status, 'ACTIVE')
    const covered = { monitorNo: await monitorNo(db, own), from: window.createdAt, to: span.endsAt }
    assert.deepEqual(await spansOf(db, window.id), [covered])
  })

  test('createMaintenanceWindow 201: one that is about to begin covers its monitors from its start', async () => {
    const { id: own } = await api.createMonitor()
    const span = { startsAt: fromNow(30_000), endsAt: fromNow(HOUR_MS) }
    const window = await createWindow(api, { ...span, allMonitors: false, monitorIds: [own] })
    assert.equal(window.status, 'SCHEDULED')
    assert.deepEqual(await windowNews(db, window.id), ['scheduled'])
    const covered = { monitorNo: await monitorNo(db, own), from: span.startsAt, to: span.endsAt }
    assert.deepEqual(await spansOf(db, window.id), [covered])
  })

  test('createMaintenanceWindow 201: one that is far off covers nobody yet', async () => {
    const { id } = await createWindow(api)
    assert.deepEqual(await spansOf(db, id), [])
  })

  test('createMonitor 201: a new monitor is covered by the windows over all monitors, and by no other', async () => {
    const organization = await fixture.createOrganization()
    const { id: first } = await organization.api.createMonitor()
    const active = { startsAt: fromNow(-HOUR_MS), endsAt: fromNow(HOUR_MS) }
    const coming = { startsAt: fromNow(30_000), endsAt: fromNow(HOUR_MS) }
    const all = await createWindow(organization.api, active)
    const next = await createWindow(organization.api, coming)
    const listed = { ...active, allMonitors: false, monitorIds: [first] }
    const other = await createWindow(organization.api, listed)
    const { id, createdAt } = await organization.api.createMonitor()
    const no = await monitorNo(db, id)
    const spans = async (window: MaintenanceWindow) =>
      (await spansOf(db, window.id)).filter((span) => span.monitorNo === no)
    assert.deepEqual(await spans(all), [{ monitorNo: no, from: createdAt, to: active.endsAt }])
    const later = { monitorNo: no, from: coming.startsAt, to: coming.endsAt }
    assert.deepEqual(await spans(next), [later])
    assert.deepEqual(await spans(other), [])
    const strangers = await createWindow(api, active)
    assert.ok((await spansOf(db, strangers.id)).every((span) => span.monitorNo !== no))
  })

  test('createMaintenanceWindow 201: over all monitors of its own organization alone', async () => {
    const organization = await fixture.createOrganization()
    const { id: mine } = await organization.api.createMonitor()
    const active = { startsAt: fromNow(-HOUR_MS), endsAt: fromNow(HOUR_MS) }
    const { id } = await createWindow(organization.api, active)
    const covered = (await spansOf(db, id)).map((span) => span.monitorNo)
    assert.deepEqual(covered, [await monitorNo(db, mine)])
  })
})

describe('getMaintenanceWindow', { concurrency: 8 }, () => {
  test('getMaintenanceWindow 200: the status follows the clock, also while nobody turns edges', async () => {
    const { id } = await createWindow(api, { startsAt: fromNow(1500), endsAt: fromNow(3000) })
    const statuses = new Set<string>()
    for (let i = 0; i < 40; i++) {
      const { status, startsAt, endsAt } = await getWindow(api, id)
      statuses.add(status)
      if (status === 'COMPLETED') assert.ok(Date.now() >= Date.parse(endsAt) - 100)
      if (status === 'ACTIVE') assert.ok(Date.now() >= Date.parse(startsAt) - 100)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    assert.deepEqual([...statuses], ['SCHEDULED', 'ACTIVE', 'COMPLETED'])
  })

  test('getMaintenanceWindow 200: between two occurrences it is SCHEDULED, and the next five are shown', async () => {
    const { id } = await createWindow(api, { recurrence: { frequency: 'DAILY' } })
    await ageWindow(db, id, 3 * DAY_MS - HOUR_MS / 2)
    const active = await getWindow(api, id)
    assert.equal(active.status, 'SCHEDULED')
    assert.equal(active.upcomingOccurrences.length, 5)
    const days = active.upcomingOccurrences.map(({ startsAt }) => Date.parse(startsAt))
    for (const [i, at] of days.entries()) if (i > 0) assert.equal(at - (days[i - 1] ?? 0), DAY_MS)
    assert.ok((days[0] ?? 0) > Date.now() && (days[0] ?? 0) < Date.now() + DAY_MS)
  })
})

describe('listMaintenanceWindows', { concurrency: 8 }, () => {
  test('listMaintenanceWindows 200: newest first, in pages, with a true total', async () => {
    const organization = await fixture.createOrganization()
    const made: MaintenanceWindow[] = []
    for (let i = 0; i < 5; i++) made.push(await createWindow(organization.api, { name: `W${i}` }))
    const newestFirst = made.toReversed()
    const list = async (query: string) => {
      const { data, pagination } = (await organization.api.get(`${WINDOWS}${query}`)).json as {
        data: MaintenanceWindow[]
        pagination: object
      }
      return { data, pagination }
    }
    assert.deepEqual(await list(''), {
      data: newestFirst,
      pagination: { limit: 25, offset: 0, total: 5 },
    })
    const second = await list('?limit=2&offset=2')
    assert.deepEqual(second.data, newestFirst.slice(2, 4))
    const past = await list('?offset=10')
    assert.deepEqual(past, { data: [], pagination: { limit: 25, offset: 10, total: 5 } })
  })

  test('listMaintenanceWindows 200: filtered by status, also where nobody has turned an edge for days', async () => {
    const organization = await fixture.createOrganization()
    const make = (name: string, fields = {}) => createWindow(organization.api, { name, ...fields })
    await make('scheduled')
    await make('active', { startsAt: fromNow(-HOUR_MS), endsAt: fromNow(HOUR_MS) })
    const daily = { recurrence: { frequency: 'DAILY' } }
    const aged: [string, object, number][] = [
      ['completed', {}, 2 * DAY_MS],
      ['active by now', {}, DAY_MS + HOUR_MS / 2],
      ['scheduled again', daily, 5 * DAY_MS - HOUR_MS / 2],
      ['active again', daily, 5 * DAY_MS + HOUR_MS / 2],
    ]
    for (const [name, fields, ms] of aged) await ageWindow(db, (await make(name, fields)).id, ms)
    const ended = await make('the rule is over', daily)
    await ageWindow(db, ended.id, 5 * DAY_MS - HOUR_MS / 2)
    await db.run(
      `update maintenance_windows
          set recurrence = recurrence || jsonb_build_object('endsAt', to_jsonb(now())) where id = $1`,
      [toUuid(ended.id)],
    )
    const named = async (query: string) => {
      const page = (await organization.api.get(`${WINDOWS}?${query}`)).json as {
        data: MaintenanceWindow[]
        pagination: { total: number }
      }
      const names = page.data.map(({ name }) => name).toSorted()
      assert.equal(page.pagination.total, names.length)
      return names
    }
    assert.deepEqual(await named('status=ACTIVE'), ['active', 'active again', 'active by now'])
    assert.deepEqual(await named('status=SCHEDULED'), ['scheduled', 'scheduled again'])
    assert.deepEqual(await named('status=COMPLETED'), ['completed', 'the rule is over'])
    assert.equal((await named('status=COMPLETED,ACTIVE')).length, 5)
    assert.equal((await named('')).length, 7)
  })

  test('listMaintenanceWindows 200: filtered by a monitor they cover', async () => {
    const organization = await fixture.createOrganization()
    const [mine, other] = [
      await organization.api.createMonitor(),
      await organization.api.createMonitor(),
    ]
    const listed = (name: string, ...ids: string[]) =>
      createWindow(organization.api, { name, allMonitors: false, monitorIds: ids })
    await listed('mine', mine.id)
    await listed('other', other.id)
    await listed('both', other.id, mine.id)
    await createWindow(organization.api, { name: 'all' })
    const named = async (query: string) => {
      const page = (await organization.api.get(`${WINDOWS}?${query}`)).json as {
        data: MaintenanceWindow[]
      }
      return page.data.map(({ name }) => name)
    }
    assert.deepEqual(await named(`monitorId=${mine.id}`), ['all', 'both', 'mine'])
    assert.deepEqual(await named(`monitorId=${mine.id}&status=ACTIVE`), [])
    for (const stranger of [monitorId, unknown('mon'), 'x'])
      assert.deepEqual(await named(`monitorId=${stranger}`), [], stranger)
  })

  for (const query of ['status=ACTIVE,', 'status=active', 'status=', 'monitorId=', 'limit=0'])
    test(`listMaintenanceWindows 400: ${query}`, async () => {
      const answer = await api.get(`${WINDOWS}?${query}`)
      const path = query.split(/[=.]/)[0]
      assert.deepEqual([...new Set(answer.paths.map((one) => one.split('.')[0]))], [path])
    })
})

describe('deleteMaintenanceWindow', { concurrency: 8 }, () => {
  const remove = (id: string) => api.delete(`${WINDOWS}/${id}`)

  test('deleteMaintenanceWindow 200: it is gone, published as canceled, and a second time it is 404', async () => {
    const window = await createWindow(api)
    assert.deepEqual((await remove(window.id)).json, { data: { id: window.id } })
    assert.equal((await api.get(`${WINDOWS}/${window.id}`)).code, 'not_found')
    assert.equal((await remove(window.id)).code, 'not_found')
    const events = await windowEvents(db, window.id)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['maintenance.scheduled', 'maintenance.canceled'],
    )
    const { maintenanceWindow, occurrence } = events[1]?.data ?? {}
    assert.deepEqual([maintenanceWindow, occurrence], [window, window.nextOccurrence])
    isNow(events[1]?.timestamp ?? '', 'timestamp')
  })

  test('deleteMaintenanceWindow 200: an active one covers until now, and the past stays', async () => {
    const { id: own } = await api.createMonitor()
    const active = { startsAt: fromNow(-HOUR_MS), endsAt: fromNow(HOUR_MS) }
    const window = await createWindow(api, { ...active, allMonitors: false, monitorIds: [own] })
    await remove(window.id)
    const events = await windowEvents(db, window.id)
    const published = events.map(({ type }) => type.replace('maintenance.', ''))
    assert.deepEqual(published, ['scheduled', 'started', 'canceled'])
    assert.deepEqual(events[2]?.data.occurrence, active)
    const [span, ...more] = await spansOf(db, window.id)
    assert.deepEqual([span?.from, span?.to, more], [window.createdAt, events[2]?.timestamp, []])
  })

  test('deleteMaintenanceWindow 200: one that is about to begin covers nobody any more', async () => {
    // Its own monitor: if another test deletes a shared one meanwhile, its coverage is left to the janitor.
    const { id } = await api.createMonitor()
    const soon = { startsAt: fromNow(30_000), endsAt: fromNow(HOUR_MS) }
    const window = await createWindow(api, { ...soon, allMonitors: false, monitorIds: [id] })
    assert.equal((await spansOf(db, window.id)).length, 1)
    await remove(window.id)
    assert.deepEqual(await spansOf(db, window.id), [])
  })

  test('deleteMaintenanceWindow 200: of one that is over nothing is published, and its past stays', async () => {
    // Its own monitor: one that another test creates meanwhile would join a window over all of them.
    const { id: own } = await api.createMonitor()
    const active = { startsAt: fromNow(-HOUR_MS), endsAt: fromNow(HOUR_MS) }
    const window = await createWindow(api, { ...active, allMonitors: false, monitorIds: [own] })
    await ageWindow(db, window.id, 2 * HOUR_MS)
    const before = await spansOf(db, window.id)
    await remove(window.id)
    assert.deepEqual(await windowNews(db, window.id), ['scheduled', 'started', 'ended'])
    assert.deepEqual(await spansOf(db, window.id), before)
  })

  test('deleteMonitor 200: its windows lose it, and one that covers nobody can still be renamed and ended', async () => {
    const { id: own } = await api.createMonitor()
    const active = { startsAt: fromNow(-HOUR_MS), endsAt: fromNow(HOUR_MS) }
    const { id } = await createWindow(api, { ...active, allMonitors: false, monitorIds: [own] })
    await api.delete(`/monitors/${own}`)
    assert.deepEqual((await getWindow(api, id)).monitorIds, [])
    const renamed = windowOf(await api.patch(`${WINDOWS}/${id}`, { name: 'Renamed' }))
    assert.deepEqual([renamed.name, renamed.monitorIds], ['Renamed', []])
    const ended = windowOf(await api.patch(`${WINDOWS}/${id}`, { endsAt: fromNow(0) }))
    assert.equal(ended.status, 'COMPLETED')
  })
})

describe('who may', { concurrency: 8 }, () => {
  test('windows 403: a read-only key reads and changes nothing', async () => {
    const readOnly = api.as(keys.readOnly)
    const window = await createWindow(api)
    assert.deepEqual(await getWindow(readOnly, window.id), window)
    const path = `${WINDOWS}/${window.id}`
    for (const answer of [
      await readOnly.post(WINDOWS, {}),
      await readOnly.patch(path, {}),
      await readOnly.delete(path),
    ])
      assert.equal(answer.code, 'forbidden')
  })

  test('windows 422: without a subscription they can be read and deleted, not made or changed', async () => {
    const organization = await fixture.createOrganization()
    const window = await createWindow(organization.api)
    await db.run(`update subscriptions set status = 'NONE' where org_id = $1`, [organization.uuid])
    const path = `${WINDOWS}/${window.id}`
    const made = await organization.api.post(WINDOWS, { ...soon(), allMonitors: true })
    assert.equal(made.code, 'subscription_required')
    assert.equal((await organization.api.patch(path, {})).code, 'subscription_required')
    assert.deepEqual(await getWindow(organization.api, window.id), window)
    assert.equal((await organization.api.delete(path)).status, 200)
  })

  test('createMaintenanceWindow 422: five open windows on FREE; one that is over makes room', async () => {
    const organization = await fixture.createOrganization('FREE')
    const made: MaintenanceWindow[] = []
    for (let i = 0; i < 4; i++) made.push(await createWindow(organization.api))
    made.push(await createWindow(organization.api, { recurrence: { frequency: 'DAILY' } }))
    const again = () => organization.api.post(WINDOWS, { ...soon(), allMonitors: true })
    assert.equal((await again()).code, 'plan_limit')
    // Between two occurrences it counts as open, although no scheduler has processed its starts and ends.
    await ageWindow(db, made[4]?.id ?? '', 10 * DAY_MS - HOUR_MS / 2)
    assert.equal((await again()).code, 'plan_limit')
    await ageWindow(db, made[0]?.id ?? '', 2 * DAY_MS)
    assert.equal((await again()).status, 201)
    assert.equal((await again()).code, 'plan_limit')
    await organization.api.delete(`${WINDOWS}/${made[1]?.id}`)
    const both = await Promise.all([again(), again(), again()])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 422, 422])
  })

  test('createMaintenanceWindow 400 before 422: what is wrong comes before what is too much', async () => {
    const organization = await fixture.createOrganization('FREE')
    for (let i = 0; i < 5; i++) await createWindow(organization.api)
    const wrong = { ...soon(), monitorIds: [unknown('mon')] }
    assert.equal((await organization.api.post(WINDOWS, wrong)).code, 'validation_error')
  })
})

test('an open incident stays when a window begins', async () => {
  const { id } = await api.createMonitor()
  await breakMonitor(db, fixture.orgId, id)
  const active = { startsAt: fromNow(-HOUR_MS), endsAt: fromNow(HOUR_MS) }
  await createWindow(api, { ...active, allMonitors: false, monitorIds: [id] })
  const open = (await api.get(`/incidents?monitorId=${id}&status=ONGOING`)).incidents
  assert.equal(open.pagination.total, 1)
})
