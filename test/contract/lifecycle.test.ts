// pauseMonitor, resumeMonitor, deleteMonitor, and checkMonitor without running a check: states, incidents, events, and
// what remains.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { toUuid } from '../kit/ids.ts'
import { COMPLETE } from '../kit/monitor-fields.ts'
import { breakMonitor, seedContact, seedIncident } from '../kit/seed.ts'

const fixture = await startProduct()
const { api, db, orgId, keys } = fixture
after(() => fixture.stop())

const http = () => api.createMonitor({ ...COMPLETE, type: 'HTTP' })
const pause = (id: string) => api.post(`/monitors/${id}/pause`, {})
const resume = (id: string) => api.post(`/monitors/${id}/resume`, {})
const check = (id: string) => api.post(`/monitors/${id}/check`, {})
const eventTypes = async (id: string) => (await db.eventsOf(id)).map((event) => event.type)

describe('pauseMonitor', { concurrency: 8 }, () => {
  for (const state of ['PENDING', 'UP', 'DEGRADED', 'DOWN'])
    test(`pauseMonitor 200: ${state} becomes PAUSED, no check is due, one event is published`, async () => {
      const { id } = await http()
      await db.setMonitorStatus(id, { state, samples: [1, 2] })
      const before = await api.getMonitor(id)
      const { epoch } = await db.monitorStatus(id)

      const { monitor } = await pause(id)
      const { updatedAt } = monitor
      const changed = { state: 'PAUSED', updatedAt, lastStatusChangedAt: updatedAt }
      assert.deepEqual(monitor, { ...before, ...changed })
      assert.ok(updatedAt > before.updatedAt)
      assert.deepEqual(await api.getMonitor(id), monitor)
      const status = await db.monitorStatus(id)
      assert.deepEqual([status.next_due_at, status.samples], [null, []])
      assert.ok(status.epoch > epoch)
      assert.equal((await db.spansOf(id)).open.join(), 'PAUSED')
      assert.deepEqual(await eventTypes(id), ['monitor.created', 'monitor.paused'])
    })

  test('pauseMonitor, resumeMonitor, checkMonitor 400: without a body they ask for an empty object', async () => {
    const { id } = await api.createMonitor()
    for (const action of ['pause', 'resume', 'check']) {
      const answer = await api.post(`/monitors/${id}/${action}`)
      assert.deepEqual(answer.error.details, [{ path: 'body', message: 'is required: send {}' }])
    }
    const create = await api.post('/monitors')
    assert.deepEqual(create.error.details, [{ path: 'body', message: 'is required' }])
  })

  test('pauseMonitor 200: a paused monitor is returned unchanged, and nothing is published', async () => {
    const { id } = await http()
    const { monitor } = await pause(id)
    assert.deepEqual((await pause(id)).monitor, monitor)
    assert.deepEqual(await eventTypes(id), ['monitor.created', 'monitor.paused'])
  })

  test('pauseMonitor 200: an ongoing incident ends at that moment, MONITOR_PAUSED', async () => {
    const { id } = await http()
    const incidentId = await breakMonitor(db, orgId, id)
    const { monitor } = await pause(id)
    const { incident } = await api.get(`/incidents/${incidentId}`)
    assert.equal(incident.resolution, 'MONITOR_PAUSED')
    assert.equal(incident.resolvedAt, monitor.updatedAt)
    assert.equal(incident.resolvedBy, null)
    assert.deepEqual(
      incident.timeline.map((line) => line.type),
      ['OPENED', 'RESOLVED'],
    )
    const events = await db.eventsOf(id)
    const types = events.map((event) => event.type)
    assert.deepEqual(types, ['monitor.created', 'monitor.paused', 'incident.resolved'])
    const published = events[2]?.data.incident
    assert.deepEqual([published?.['id'], published?.['resolution']], [incidentId, 'MONITOR_PAUSED'])
    assert.equal(published?.['resolvedAt'], incident.resolvedAt)
  })

  test('pauseMonitor 200: an incident that was resolved before stays as it was', async () => {
    const { id } = await http()
    const resolvedAt = new Date(Date.now() - 30_000)
    const incidentId = await seedIncident(db, { orgId, monitorId: id, resolvedAt })
    const before = (await api.get(`/incidents/${incidentId}`)).incident
    await pause(id)
    assert.deepEqual((await api.get(`/incidents/${incidentId}`)).incident, before)
  })

  test('pauseMonitor 200: ten at once pause once', async () => {
    const { id } = await http()
    const answers = await Promise.all(Array.from({ length: 10 }, () => pause(id)))
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
    assert.deepEqual(await eventTypes(id), ['monitor.created', 'monitor.paused'])
  })
})

describe('resumeMonitor', { concurrency: 8 }, () => {
  test('resumeMonitor 200: PAUSED becomes PENDING and is due straight away', async () => {
    const { id } = await http()
    const paused = (await pause(id)).monitor
    const { epoch } = await db.monitorStatus(id)
    const { monitor } = await resume(id)
    const { updatedAt } = monitor
    const changed = { state: 'PENDING', updatedAt, lastStatusChangedAt: updatedAt }
    assert.deepEqual(monitor, { ...paused, ...changed })
    const status = await db.monitorStatus(id)
    assert.equal(status.next_due_at?.toISOString(), updatedAt)
    assert.ok(status.epoch > epoch)
    const { states, open } = await db.spansOf(id)
    assert.deepEqual([states, open], [['PENDING', 'PAUSED', 'PENDING'], ['PENDING']])
    const types = await eventTypes(id)
    assert.deepEqual(types, ['monitor.created', 'monitor.paused', 'monitor.resumed'])
  })

  test('resumeMonitor 200: the clock of a CRON monitor starts over', async () => {
    const { id } = await api.createMonitor({ intervalSeconds: 600, graceSeconds: 30 })
    await pause(id)
    const { monitor } = await resume(id)
    const { next_due_at } = await db.monitorStatus(id)
    assert.equal(Number(next_due_at), Date.parse(monitor.updatedAt) + 630_000)
  })

  for (const state of ['PENDING', 'UP', 'DEGRADED', 'DOWN'])
    test(`resumeMonitor 200: ${state} is returned unchanged, and nothing is published`, async () => {
      const { id } = await http()
      await db.setMonitorStatus(id, { state, next_due_at: new Date(Date.now() + 60_000) })
      const [before, status] = [await api.getMonitor(id), await db.monitorStatus(id)]
      assert.deepEqual((await resume(id)).monitor, before)
      assert.deepEqual(await db.monitorStatus(id), status)
      assert.deepEqual(await eventTypes(id), ['monitor.created'])
    })

  test('resumeMonitor 200: the incident that the pause ended stays ended', async () => {
    const { id } = await http()
    const incidentId = await breakMonitor(db, orgId, id)
    await pause(id)
    await resume(id)
    const { incident } = await api.get(`/incidents/${incidentId}`)
    assert.equal(incident.resolution, 'MONITOR_PAUSED')
    assert.equal((await eventTypes(id)).filter((type) => type.startsWith('incident.')).length, 1)
  })
})

describe('pauseMonitor, resumeMonitor and checkMonitor: the body is an empty object', {
  concurrency: 8,
}, () => {
  const bodies: [json: string, paths: string[]][] = [
    ['', ['body']],
    ['[]', ['body']],
    ['null', ['body']],
    ['""', ['body']],
    ['0', ['body']],
    ['{', ['body']],
    ['{"reason":"x"}', ['reason']],
    ['{"a":1,"b":null}', ['a', 'b']],
    ['{"state":"PAUSED"}', ['state']],
    ['{"":0}', ['body']], // a property without a name leaves only the body to point at
    ['{"__proto__":1}', ['__proto__']],
    ['{"constructor":1}', ['constructor']],
  ]
  for (const verb of ['pause', 'resume', 'check'])
    for (const [rawBody, paths] of bodies)
      test(`${verb}Monitor 400: body ${rawBody || '(none)'}, path ${paths}`, async () => {
        const { id } = await http()
        const answer = await api.request('POST', `/monitors/${id}/${verb}`, { rawBody })
        assert.equal(answer.code, 'validation_error')
        assert.deepEqual(answer.paths.toSorted(), paths)
        assert.deepEqual(await eventTypes(id), ['monitor.created'])
      })
})

describe('checkMonitor', { concurrency: 8 }, () => {
  test('checkMonitor 409: a paused monitor is not checked, and nothing changes', async () => {
    const { id } = await http()
    const paused = (await pause(id)).monitor
    const status = await db.monitorStatus(id)
    assert.equal((await check(id)).code, 'conflict')
    assert.deepEqual(await api.getMonitor(id), paused)
    assert.deepEqual(await db.monitorStatus(id), status)
    assert.deepEqual(await eventTypes(id), ['monitor.created', 'monitor.paused'])
  })

  test('checkMonitor 409: the conflict releases its idempotency key', async () => {
    const { id } = await http()
    await pause(id)
    const headers = { 'Idempotency-Key': `check-${id}` }
    for (let i = 0; i < 2; i++)
      assert.equal((await api.post(`/monitors/${id}/check`, {}, { headers })).code, 'conflict')
    const other = await api.post('/monitors', { name: 'x', type: 'CRON' }, { headers })
    assert.deepEqual([other.status, other.isReplayed], [201, false])
  })
})

describe('deleteMonitor', { concurrency: 4 }, () => {
  test('deleteMonitor 200: monitor, incidents, evidence, timeline, contacts and spans are gone', async () => {
    const { id: org, uuid, api: owner } = await fixture.createOrganization()
    await seedContact(db, org)
    const gone = await owner.createMonitor({ ...COMPLETE, type: 'HTTP' })
    const kept = await owner.createMonitor({ ...COMPLETE, type: 'HTTP' })
    for (const { id } of [gone, kept]) {
      const past = {
        startedAt: new Date(Date.now() - 7200_000),
        resolvedAt: new Date(Date.now() - 3600_000),
      }
      await seedIncident(db, { orgId: org, monitorId: id, ...past })
      await breakMonitor(db, org, id)
    }
    const incidentIds = (await owner.get(`/incidents?monitorId=${gone.id}`)).incidents.data
    const { no } = await db.one<{ no: string }>('select no from monitors where id = $1', [
      toUuid(gone.id),
    ])

    const answer = await owner.delete(`/monitors/${gone.id}`)
    assert.deepEqual(answer.json, { data: { id: gone.id } })

    const left = async (table: string) => db.count(table, 'org_id = $1', [uuid])
    assert.equal(await left('monitors'), 1)
    assert.equal(await left('monitor_states'), 1)
    assert.equal(await left('incidents'), 2)
    assert.equal(await left('incident_evidence'), 5)
    assert.equal(await left('incident_timeline'), 3)
    assert.equal(await left('monitor_alert_contacts'), 1)
    assert.equal(await left('alert_contacts'), 1)
    assert.equal(await db.count('state_spans', 'monitor_no = $1', [no]), 0)
    assert.equal(await db.count('deleted_monitors', 'monitor_no = $1', [no]), 1)
    const { pagination } = (await owner.get('/monitors')).monitors
    assert.equal(pagination.total, 1)
    assert.equal((await owner.get('/incidents')).incidents.pagination.total, 2)
    for (const { id } of incidentIds)
      assert.equal((await owner.get(`/incidents/${id}`)).code, 'not_found')
  })

  test('deleteMonitor 200: incident.resolved with MONITOR_DELETED is published before monitor.deleted', async () => {
    const monitor = await api.createMonitor({ ...COMPLETE, type: 'HTTP', requestBody: 'secret' })
    const incidentId = await breakMonitor(db, orgId, monitor.id)
    await api.delete(`/monitors/${monitor.id}`)
    const events = await db.eventsOf(monitor.id)
    const types = events.map((event) => event.type)
    assert.deepEqual(types, ['monitor.created', 'incident.resolved', 'monitor.deleted'])
    const published = events[1]?.data.incident
    assert.deepEqual(
      [published?.['id'], published?.['resolution']],
      [incidentId, 'MONITOR_DELETED'],
    )
    assert.notEqual(published?.['resolvedAt'], null)
  })

  test('deleteMonitor 404: the second time there is nothing left to delete', async () => {
    const { id } = await http()
    assert.equal((await api.delete(`/monitors/${id}`)).status, 200)
    assert.equal((await api.delete(`/monitors/${id}`)).code, 'not_found')
    assert.equal((await api.get(`/monitors/${id}`)).code, 'not_found')
    assert.equal((await api.patch(`/monitors/${id}`, {})).code, 'not_found')
    assert.equal((await pause(id)).code, 'not_found')
    assert.equal((await resume(id)).code, 'not_found')
    assert.deepEqual(await eventTypes(id), ['monitor.created', 'monitor.deleted'])
  })

  test('deleteMonitor 200: of ten at once one deletes, nine find nothing', async () => {
    const { id } = await http()
    const all = await Promise.all(Array.from({ length: 10 }, () => api.delete(`/monitors/${id}`)))
    const statuses = all.map((answer) => answer.status).toSorted()
    assert.deepEqual(statuses, [200, ...Array.from({ length: 9 }, () => 404)])
    assert.deepEqual(await eventTypes(id), ['monitor.created', 'monitor.deleted'])
  })

  test('deleteMonitor 200: a body and its content type are ignored', async () => {
    const { id } = await http()
    const headers = { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }
    const answer = await api.request('DELETE', `/monitors/${id}`, { rawBody: 'not json', headers })
    assert.equal(answer.status, 200)
  })
})

describe('an id that is not there', { concurrency: 8 }, () => {
  const operations: [method: string, suffix: string, body?: unknown][] = [
    ['GET', ''],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', ''],
    ['POST', '/pause', {}],
    ['POST', '/resume', {}],
    ['POST', '/check', {}],
  ]
  const strange = [
    'mon_00000000000000000000000000',
    'mon_7zzzzzzzzzzzzzzzzzzzzzzzzz',
    'mon_8zzzzzzzzzzzzzzzzzzzzzzzzz',
    'MON_01M7EFGQHPE008005NJ305W7QJ',
    'inc_01m7e3k4y5e5fr0039rkamsgk4',
    'mon_',
    'x',
    '0',
    '__proto__',
    'constructor',
    '..',
    '%00',
    '%2F',
    '%F0%9F%98%80',
    "'%20or%201=1--",
    'x'.repeat(2000),
  ]
  for (const [method, suffix, body] of operations) {
    const name = `${method} /monitors/{monitorId}${suffix}`
    test(`${name} 404: an id of any form that is nobody's`, async () => {
      for (const id of strange) {
        const answer = await api.request(method, `/monitors/${id}${suffix}`, { body })
        assert.equal(answer.code, 'not_found', id)
      }
    })

    test(`${name} 404: another organization's monitor looks exactly like none`, async () => {
      const foreign = await api.as(keys.otherOrganization).createMonitor()
      const unknown = foreign.id.replace(/.{6}$/, '000000')
      const [theirs, none] = await Promise.all(
        [foreign.id, unknown].map((id) =>
          api.request(method, `/monitors/${id}${suffix}`, { body }),
        ),
      )
      const withoutId = (text = '') => text.replace(/req_[0-9a-z]+/, '')
      assert.equal(theirs?.code, 'not_found')
      assert.equal(withoutId(theirs?.text), withoutId(none?.text))
      assert.equal((await api.as(keys.otherOrganization).getMonitor(foreign.id)).id, foreign.id)
    })
  }
})
