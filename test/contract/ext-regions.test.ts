// Which regions a monitor is checked from: chosen for it, for its tags, or for the organization.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '../kit/client.ts'
import { startProduct } from '../kit/fixture.ts'

const EXT = '/api/ext/v1'
const fixture = await startProduct()
after(() => fixture.stop())

const NAMES = ['eu-west', 'us-east', 'ap-south', 'sa-east']
before(() =>
  fixture.db.run(
    `insert into regions (name) select unnest($1::text[]) on conflict (name) do nothing`,
    [NAMES],
  ),
)

type Setting = { regions: string[]; mode: string; from: string; id: string | null }
const closedPort = { name: 'Quiet', type: 'PORT', host: '127.0.0.1', port: 9 }
const BODY = { regions: ['eu-west', 'us-east'] }

async function create(api: Client, more: object = {}): Promise<string> {
  const answer = await api.post(`${EXT}/monitors`, { ...closedPort, ...more })
  assert.equal(answer.status, 201, answer.text)
  return (answer.json as { id: string }).id
}
async function tag(api: Client, name: string): Promise<string> {
  return ((await api.post(`${EXT}/tags`, { name })).json as { id: string }).id
}
const ofMonitor = (id: string) => `${EXT}/monitors/${id}/regions`
const ofTag = (id: string) => `${EXT}/tags/${id}/regions`
const OF_ORGANIZATION = `${EXT}/organization/regions`

async function put(api: Client, path: string, body: object): Promise<Setting> {
  const answer = await api.put(path, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.json as Setting
}
async function effective(api: Client, id: string): Promise<string> {
  const answer = await api.get(ofMonitor(id))
  if (answer.status === 404) return 'none'
  const { from, regions } = answer.json as Setting
  return `${from} ${regions.join(' ')}`
}

describe('regions', { concurrency: 4 }, () => {
  test('the nearest setting counts: of the monitor, of a tag, of the organization', async () => {
    const { api } = await fixture.createOrganization()
    const prod = await tag(api, 'Production')
    const id = await create(api, { tags: [prod] })
    assert.equal(await effective(api, id), 'none')
    await put(api, OF_ORGANIZATION, { regions: ['ap-south'] })
    assert.equal(await effective(api, id), 'ORGANIZATION ap-south')
    await put(api, ofTag(prod), { regions: ['us-east'] })
    assert.equal(await effective(api, id), 'TAG us-east')
    const own = await put(api, ofMonitor(id), BODY)
    assert.deepEqual(
      { ...own, updatedAt: '' },
      { ...BODY, mode: 'FIRST', downWhen: null, from: 'MONITOR', id, updatedAt: '' },
    )
    assert.equal(await effective(api, id), 'MONITOR eu-west us-east')
    for (const [path, then] of [
      [ofMonitor(id), 'TAG us-east'],
      [ofTag(prod), 'ORGANIZATION ap-south'],
      [OF_ORGANIZATION, 'none'],
    ] as const) {
      assert.equal((await api.delete(path)).status, 200)
      assert.equal((await api.delete(path)).status, 404)
      assert.equal(await effective(api, id), then)
    }
  })

  test('the list says which regions are live, and how late the latest of their probes is', async () => {
    const { api } = await fixture.createOrganization()
    await fixture.db.run(
      `insert into probes (region, name, late_ms, last_seen_at, revoked_at) values
         ('eu-west', 'late-1', 7, now(), null), ('eu-west', 'late-2', 40, now(), null),
         ('eu-west', 'late-3', 999, now() - interval '1 minute', null),
         ('us-east', 'late-4', 999, now(), now()), ('sa-east', 'late-5', null, now(), null)`,
    )
    const { data } = (await api.get(`${EXT}/regions`)).json as { data: { name: string }[] }
    await fixture.db.run(`delete from probes where name like 'late-%'`)
    assert.deepEqual(
      data.filter(({ name }) => NAMES.includes(name)),
      [
        { name: 'eu-west', live: true, lateMs: 40 },
        { name: 'us-east', live: false, lateMs: null },
        { name: 'sa-east', live: true, lateMs: null },
      ],
    )
  })

  test('a monitor is created with its regions, and the list shows its own', async () => {
    const { api } = await fixture.createOrganization()
    const id = await create(api, { regions: BODY })
    await create(api)
    const list = (await api.get(`${EXT}/monitors`)).json as { data: { regions: unknown }[] }
    assert.deepEqual(
      list.data.map(({ regions }) => regions),
      [null, { ...BODY, mode: 'FIRST', downWhen: null }],
    )
    assert.equal(await effective(api, id), 'MONITOR eu-west us-east')
    const refused = await api.post(`${EXT}/monitors`, {
      ...closedPort,
      regions: { regions: ['mars'] },
    })
    assert.deepEqual([refused.code, refused.paths], ['validation_error', ['regions.0']])
    assert.equal(((await api.get('/monitors')).json as { data: unknown[] }).data.length, 2)
  })

  test('mode EACH is stored with how many regions have to fail, and shown everywhere', async () => {
    const { api } = await fixture.createOrganization()
    const each = { ...BODY, mode: 'EACH', downWhen: 2 }
    const id = await create(api, { regions: each })
    const shown = (await api.get(ofMonitor(id))).json as object
    assert.deepEqual({ ...shown, updatedAt: '' }, { ...each, from: 'MONITOR', id, updatedAt: '' })
    const list = (await api.get(`${EXT}/monitors`)).json as { data: { regions: unknown }[] }
    assert.deepEqual(list.data[0]?.regions, each)
    const back = (await put(api, ofMonitor(id), BODY)) as Setting & { downWhen: number | null }
    assert.deepEqual([back.mode, back.downWhen], ['FIRST', null])
  })

  test('400: unknown, repeated, too many, none, another mode', async () => {
    const { api } = await fixture.createOrganization()
    const path = ofMonitor(await create(api))
    const wrong: [body: object, paths: string[]][] = [
      [{ regions: ['eu-west', 'mars'] }, ['regions.1']],
      [{ regions: ['eu-west', 'eu-west'] }, ['regions.1']],
      [{ regions: [] }, ['regions']],
      [{ regions: Array.from({ length: 11 }, () => 'eu-west') }, ['regions']],
      [{ regions: ['x'.repeat(65)] }, ['regions.0']],
      [{ regions: 'eu-west' }, ['regions']],
      [{}, ['regions']],
      [{ ...BODY, mode: 'ALL' }, ['mode']],
      [{ ...BODY, downWhen: 1 }, ['downWhen']],
      [{ ...BODY, mode: 'EACH', downWhen: 3 }, ['downWhen']],
      [{ ...BODY, mode: 'EACH', downWhen: 0 }, ['downWhen']],
      [{ ...BODY, mode: 'EACH', downWhen: 1.5 }, ['downWhen']],
      [{ ...BODY, mode: 'EACH', downWhen: '2' }, ['downWhen']],
    ]
    for (const [body, paths] of wrong) {
      const answer = await api.put(path, body)
      assert.deepEqual([answer.code, answer.paths], ['validation_error', paths], answer.text)
    }
    assert.equal((await api.get(path)).status, 404)
  })

  test('422: more regions than the plan has', async () => {
    const { api } = await fixture.createOrganization('FREE')
    const path = ofMonitor(await create(api))
    await put(api, path, { regions: ['us-east'] })
    const refused = await api.put(path, BODY)
    assert.equal(refused.code, 'plan_limit')
    assert.match(refused.text, /The plan allows one region for a monitor\./)
    assert.equal(await effective(api, path.split('/')[5] ?? ''), 'MONITOR us-east')
  })

  test('two tags of a monitor may not differ, however they meet', async () => {
    const { api } = await fixture.createOrganization()
    const [blue, green] = [await tag(api, 'Blue'), await tag(api, 'Green')]
    await put(api, ofTag(blue), BODY)
    const both = await create(api, { tags: [blue, green] })
    const clash = await api.put(ofTag(green), { regions: ['ap-south'] })
    assert.deepEqual([clash.code, clash.paths], ['validation_error', ['regions']])
    assert.match(clash.text, /The tags Green and Blue have different regions/)
    // The same regions are no contradiction.
    await put(api, ofTag(green), BODY)
    await api.delete(ofTag(green))
    await api.delete(`${EXT}/monitors/${both}/tags/${green}`)

    await put(api, ofTag(green), { regions: ['ap-south'] })
    const added = await api.put(`${EXT}/monitors/${both}/tags/${green}`)
    assert.deepEqual([added.code, added.paths], ['validation_error', ['tag']])
    const created = await api.post(`${EXT}/monitors`, { ...closedPort, tags: [blue, green] })
    assert.deepEqual([created.code, created.paths], ['validation_error', ['tags']])
    assert.equal(await effective(api, both), 'TAG eu-west us-east')
  })

  test('404: another organization, and what does not exist', async () => {
    const { api } = await fixture.createOrganization()
    const other = await fixture.createOrganization()
    const foreign = await create(other.api)
    const theirs = await tag(other.api, 'Theirs')
    for (const path of [ofMonitor(foreign), ofTag(theirs)]) {
      assert.equal((await api.put(path, BODY)).status, 404)
      assert.equal((await api.get(path)).status, 404)
      assert.equal((await api.delete(path)).status, 404)
    }
  })

  test('a deleted tag and a deleted monitor take their settings with them', async () => {
    const { api, uuid } = await fixture.createOrganization()
    const blue = await tag(api, 'Blue')
    const id = await create(api, { tags: [blue], regions: BODY })
    await put(api, ofTag(blue), BODY)
    await api.delete(`${EXT}/tags/${blue}`)
    await api.delete(`/monitors/${id}`)
    assert.equal(await fixture.db.count('region_settings', 'org_id = $1', [uuid]), 0)
  })
})
