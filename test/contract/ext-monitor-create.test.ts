// A monitor with everything attached is created in one step: nothing is there before, and nothing is left of a refusal.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Client } from '../kit/client.ts'
import { startProduct } from '../kit/fixture.ts'
import { COMPLETE } from '../kit/monitor-fields.ts'

const EXT = '/api/ext/v1'
const UNKNOWN = '01m7ef2j5re008007k9b361f3r'
const fixture = await startProduct()
const { db } = fixture
after(() => fixture.stop())

type Detail = {
  id: string
  state: string
  tags: { id: string; name: string }[]
  alertContactIds: string[]
  managedBy: null
  regions: null
}
const closedPort = { name: 'Quiet', type: 'PORT', host: '127.0.0.1', port: 9 }

async function addContact(api: Client, name: string): Promise<string> {
  const settings = { url: 'https://hooks.example.com/x' }
  const made = await api.post(`${EXT}/alert-contacts`, { name, channel: 'SLACK', settings })
  return (made.json as { id: string }).id
}

async function create(api: Client, more: object): Promise<Detail> {
  const answer = await api.post(`${EXT}/monitors`, { ...closedPort, ...more })
  assert.equal(answer.status, 201, answer.text)
  return answer.json as Detail
}

const countRelations = (orgUuid: string) =>
  db.count('monitor_alert_contacts', 'org_id = $1', [orgUuid])
const countMonitors = (orgUuid: string) => db.count('monitors', 'org_id = $1', [orgUuid])
async function eventTypes(orgUuid: string): Promise<string[]> {
  const rows = await db.run<{ type: string }>(
    'select type from events where org_id = $1 order by id',
    [orgUuid],
  )
  return rows.map(({ type }) => type)
}

describe('createMonitorDetail', { concurrency: 4 }, () => {
  test('201: the fields of the public API, and everything attached', async () => {
    const { api } = await fixture.createOrganization()
    const answer = await api.post(`${EXT}/monitors`, COMPLETE)
    assert.equal(answer.status, 201, answer.text)
    const { tags, alertContactIds, managedBy, regions, ...fields } = answer.json as Detail
    assert.deepEqual([tags, alertContactIds, managedBy, regions], [[], [], null, null])
    assert.deepEqual(fields, await api.getMonitor(fields.id))
    assert.equal(answer.headers['location'], `/api/v1/monitors/${fields.id}`)
    const listed = (await api.get(`${EXT}/monitors`)).json as { data: Detail[] }
    assert.deepEqual(listed.data, [answer.json])
  })

  test('contactIds: left out, all contacts; empty, none; else exactly these, each once', async () => {
    const { api, uuid } = await fixture.createOrganization()
    const [ops = '', night = ''] = [await addContact(api, 'Ops'), await addContact(api, 'Night')]
    const none = await create(api, { contactIds: [] })
    assert.deepEqual(none.alertContactIds, [])
    assert.equal(await countRelations(uuid), 0)
    const one = await create(api, { contactIds: [night, night] })
    assert.deepEqual(one.alertContactIds, [night])
    const all = await create(api, {})
    assert.deepEqual(all.alertContactIds.toSorted(), [ops, night].toSorted())
    assert.equal(await countRelations(uuid), 3)
  })

  test('tags: by id and by name, in any case; new names become tags', async () => {
    const { api } = await fixture.createOrganization()
    const blue = (await api.post(`${EXT}/tags`, { name: 'Blue' })).json as { id: string }
    const { tags } = await create(api, { tags: [blue.id, 'BLUE', ' Été ', 'été'] })
    assert.deepEqual(
      tags.map(({ name }) => name),
      ['Blue', 'Été'],
    )
    assert.equal(tags[0]?.id, blue.id)
  })

  test('paused: PAUSED, due never, and one event', async () => {
    const { api, uuid } = await fixture.createOrganization()
    for (const more of [closedPort, { name: 'Job', type: 'CRON', expectedPeriodSec: 60 }]) {
      const { id, state } = await create(api, { ...more, paused: true })
      assert.equal(state, 'PAUSED')
      assert.equal((await api.getMonitor(id)).lastStatusChangedAt, null)
    }
    const due = `org_id = $1 and (next_due_at is not null or due_unread)`
    assert.equal(await db.count('monitor_states', due, [uuid]), 0)
    assert.deepEqual(await eventTypes(uuid), ['monitor.created', 'monitor.created'])
    const spans = await db.run<{ state: string }>(
      `select distinct s.state from state_spans s join monitors m on m.no = s.monitor_no where m.org_id = $1`,
      [uuid],
    )
    assert.deepEqual(spans, [{ state: 'PAUSED' }])
  })

  test('a monitor that was created paused is resumed like any other', async () => {
    const { api } = await fixture.createOrganization()
    const { id } = await create(api, { paused: true })
    const resumed = await api.post(`/monitors/${id}/resume`, {})
    assert.equal(resumed.monitor.state, 'PENDING')
  })

  test('400: what is unknown is named at its place, and nothing is created', async () => {
    const { api, uuid } = await fixture.createOrganization()
    const other = await fixture.createOrganization()
    const [ops, foreign] = [await addContact(api, 'Ops'), await addContact(other.api, 'Foreign')]
    const wrong: [more: object, paths: string[]][] = [
      [
        { contactIds: [ops, `act_${UNKNOWN}`, 'x', foreign] },
        ['contactIds.1', 'contactIds.2', 'contactIds.3'],
      ],
      [{ tags: ['Fine', `tag_${UNKNOWN}`] }, ['tags.1']],
      [{ tags: [' '] }, ['tags.0']],
      [{ tags: ['x'.repeat(41)] }, ['tags.0']],
      [{ contactIds: 'all' }, ['contactIds']],
      [{ contactIds: null }, ['contactIds']],
      [{ paused: 'yes' }, ['paused']],
      [{ host: null }, ['host']],
    ]
    for (const [more, paths] of wrong) {
      const answer = await api.post(`${EXT}/monitors`, { ...closedPort, ...more })
      assert.equal(answer.code, 'validation_error', answer.text)
      assert.deepEqual(answer.paths, paths, answer.text)
    }
    assert.equal(await countMonitors(uuid), 0)
    assert.equal(await db.count('tags', 'org_id = $1', [uuid]), 0)
    assert.deepEqual(await eventTypes(uuid), [])
  })

  test('422: a refusal after the monitor was written leaves nothing of it', async () => {
    const { api, uuid } = await fixture.createOrganization()
    await addContact(api, 'Ops')
    for (let at = 0; at < 200; at++) await api.post(`${EXT}/tags`, { name: `t${at}` })
    const refused = await api.post(`${EXT}/monitors`, { ...closedPort, tags: ['t1', 'one more'] })
    assert.equal(refused.code, 'plan_limit', refused.text)
    assert.equal(await countMonitors(uuid), 0)
    assert.equal(await countRelations(uuid), 0)
    assert.equal(await db.count('monitor_tags', 'org_id = $1', [uuid]), 0)
    assert.deepEqual(await eventTypes(uuid), [])
    const used = (await api.get(`${EXT}/usage`)).json as { monitors: { used: number } }
    assert.equal(used.monitors.used, 0)
  })

  test('422: the limits of the plan, as for createMonitor', async () => {
    const { api } = await fixture.createOrganization('FREE')
    for (let at = 0; at < 20; at++) await create(api, { contactIds: [] })
    assert.equal((await api.post(`${EXT}/monitors`, closedPort)).code, 'plan_limit')
    const fast = { ...closedPort, intervalSeconds: 30 }
    assert.equal((await api.post(`${EXT}/monitors`, fast)).code, 'plan_limit')
  })

  test('the same Idempotency-Key creates once', async () => {
    const { api, uuid } = await fixture.createOrganization()
    const headers = { 'Idempotency-Key': 'once' }
    const send = (more: object) =>
      api.post(`${EXT}/monitors`, { ...closedPort, tags: ['A'], ...more }, { headers })
    const [first, again] = [await send({}), await send({})]
    assert.deepEqual(again.json, first.json)
    assert.equal((await send({ paused: true })).code, 'idempotency_conflict')
    assert.equal(await countMonitors(uuid), 1)
  })
})
