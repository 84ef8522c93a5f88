// The resources of the extension API: what they take, show and hide.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { breakMonitor } from '../kit/seed.ts'

const EXT = '/api/ext/v1'
const SECRET = 'https://hooks.example.com/services/T000/B000/PLANTEDSECRET'
const fixture = await startProduct()
after(() => fixture.stop())

type Listed<Item> = { data: Item[]; next?: string | null; pagination?: { total: number } }
type Contact = { id: string; name: string; settings: Record<string, string>; monitors: number }
type Detail = {
  id: string
  name: string
  tags: { id: string; name: string }[]
  alertContactIds: string[]
  managedBy: { source: string; address: string } | null
  regions: null
}

const contact = { name: 'Ops', channel: 'SLACK', settings: { url: SECRET } }

describe('alert contacts', { concurrency: 4 }, () => {
  test('create, get, list, update, attach, detach, delete; the secret never comes back', async () => {
    const { api } = await fixture.createOrganization()
    const monitor = await api.createMonitor()
    const created = await api.post(`${EXT}/alert-contacts`, { ...contact, allMonitors: false })
    assert.equal(created.status, 201, created.text)
    const { id } = created.json as Contact
    assert.equal(created.headers['location'], `${EXT}/alert-contacts/${id}`)
    const at = `${EXT}/alert-contacts/${id}`
    const attached = async () => ((await api.get(at)).json as { monitorIds: string[] }).monitorIds
    assert.deepEqual(await attached(), [])
    for (let twice = 0; twice < 2; twice++)
      assert.equal((await api.put(`${at}/monitors/${monitor.id}`)).status, 200)
    assert.deepEqual(await attached(), [monitor.id])
    for (let twice = 0; twice < 2; twice++)
      assert.equal((await api.delete(`${at}/monitors/${monitor.id}`)).status, 200)
    assert.deepEqual(await attached(), [])
    const changed = await api.patch(at, { name: 'Night', reminderMinutes: 30 })
    assert.equal((changed.json as Contact).name, 'Night')
    const shown = [created, changed, await api.get(at), await api.get(`${EXT}/alert-contacts`)]
    for (const { text } of shown) assert.ok(!text.includes('PLANTEDSECRET'), text)
    assert.equal((await api.delete(at)).status, 200)
    assert.equal((await api.delete(at)).code, 'not_found')
  })

  test('400: settings that the channel does not have, and rules beyond their bounds', async () => {
    const { api } = fixture
    const wrong: [body: object, path: string][] = [
      [{ ...contact, channel: 'WEB_PUSH' }, 'channel'],
      [{ ...contact, settings: {} }, 'settings.url'],
      [{ ...contact, settings: { url: 'file:///etc/passwd' } }, 'settings.url'],
      [{ ...contact, delayMinutes: 61 }, 'delayMinutes'],
      [{ ...contact, states: [] }, 'states'],
      [{ ...contact, name: 'a\nb' }, 'name'],
    ]
    for (const [body, path] of wrong) {
      const answer = await api.post(`${EXT}/alert-contacts`, body)
      assert.ok(answer.paths.includes(path), answer.text)
    }
  })

  test('the list is newest first, by limit and offset', async () => {
    const { api } = await fixture.createOrganization()
    for (const name of ['A', 'B', 'C'])
      await api.post(`${EXT}/alert-contacts`, { ...contact, name })
    const page = (await api.get(`${EXT}/alert-contacts?limit=2&offset=1`)).json as Listed<Contact>
    assert.deepEqual(
      page.data.map(({ name }) => name),
      ['B', 'A'],
    )
    assert.equal(page.pagination?.total, 3)
  })
})

describe('tags', { concurrency: 4 }, () => {
  test('add and remove by name and by id; the filter wants all of them', async () => {
    const { api } = await fixture.createOrganization()
    const both = (await api.createMonitor({ name: 'Both' })).id
    const one = (await api.createMonitor({ name: 'One' })).id
    const tag = (await api.post(`${EXT}/tags`, { name: 'Blue team' })).json as { id: string }
    await api.put(`${EXT}/monitors/${both}/tags/${tag.id}`)
    await api.put(`${EXT}/monitors/${both}/tags/${encodeURIComponent('Été/2026')}`)
    await api.put(`${EXT}/monitors/${one}/tags/${encodeURIComponent('BLUE TEAM')}`)
    const found = async (query: string) =>
      ((await api.get(`${EXT}/monitors?${query}`)).json as Listed<Detail>).data.map((m) => m.name)
    assert.deepEqual(await found(`tag=${tag.id}`), ['One', 'Both'])
    assert.deepEqual(await found(`tag=blue%20team&tag=${encodeURIComponent('été/2026')}`), ['Both'])
    assert.deepEqual(await found('tag=nothing'), [])
    const left = await api.delete(`${EXT}/monitors/${both}/tags/${encodeURIComponent('été/2026')}`)
    assert.deepEqual(left.json, { tags: [{ id: tag.id, name: 'Blue team' }] })
    assert.equal((await api.delete(`${EXT}/monitors/${both}/tags/nothing`)).code, 'not_found')
  })

  test('400 and 404: names that are none, and ids that do not exist', async () => {
    const { api } = await fixture.createOrganization()
    const { id } = await api.createMonitor()
    for (const name of ['%20', 'x'.repeat(41), '%0A', '%E2%80%AE', '%00']) {
      const answer = await api.put(`${EXT}/monitors/${id}/tags/${name}`)
      assert.deepEqual(answer.paths, ['tag'], name)
    }
    const unknown = 'tag_01m7ef2j5re008007k9b361f3r'
    assert.equal((await api.put(`${EXT}/monitors/${id}/tags/${unknown}`)).code, 'not_found')
    assert.deepEqual(((await api.get(`${EXT}/tags`)).json as Listed<unknown>).data, [])
  })

  test('422: a monitor has 20 tags at most; 409: a name is there once', async () => {
    const { api } = await fixture.createOrganization()
    const { id } = await api.createMonitor()
    for (let at = 0; at < 20; at++)
      assert.equal((await api.put(`${EXT}/monitors/${id}/tags/t${at}`)).status, 200)
    assert.equal((await api.put(`${EXT}/monitors/${id}/tags/t20`)).code, 'plan_limit')
    assert.equal((await api.post(`${EXT}/tags`, { name: 'T0' })).code, 'conflict')
  })
})

describe('monitors in bulk', { concurrency: 4 }, () => {
  test('pages by cursor see each lasting monitor once while others appear and vanish', async () => {
    const { api } = await fixture.createOrganization()
    const ids: string[] = []
    for (let at = 0; at < 25; at++) ids.push((await api.createMonitor()).id)
    const seen: string[] = []
    let next: string | null | undefined
    do {
      const cursor = next ? `&cursor=${next}` : ''
      const page = (await api.get(`${EXT}/monitors?limit=10${cursor}`)).json as Listed<Detail>
      seen.push(...page.data.map(({ id }) => id))
      next = page.next
      if (seen.length === 10) {
        await api.delete(`/monitors/${ids[20]}`)
        await api.delete(`/monitors/${ids[3]}`)
        await api.createMonitor()
      }
    } while (next)
    const lasting = ids.filter((_, at) => at !== 3 && at !== 20).toReversed()
    assert.equal(new Set(seen).size, seen.length)
    assert.deepEqual(
      seen.filter((id) => lasting.includes(id)),
      lasting,
    )
  })

  test('tags, contacts and the source are beside the 33 fields', async () => {
    const { api } = await fixture.createOrganization()
    const monitor = await api.createMonitor({ name: 'Shop' })
    const made = (await api.post(`${EXT}/alert-contacts`, contact)).json as Contact
    await api.put(`${EXT}/monitors/${monitor.id}/tags/Blue`)
    await api.put(`${EXT}/sources/shop/bindings`, {
      revision: 0,
      bindings: [{ address: 'monitors.shop', id: monitor.id }],
    })
    const [found] = ((await api.get(`${EXT}/monitors`)).json as Listed<Detail>).data
    assert.ok(found)
    const { tags, alertContactIds, managedBy, regions, ...fields } = found
    assert.equal(regions, null)
    assert.deepEqual(fields, await api.getMonitor(monitor.id))
    assert.deepEqual(
      tags.map(({ name }) => name),
      ['Blue'],
    )
    assert.deepEqual(alertContactIds, [made.id])
    assert.deepEqual(managedBy, { source: 'shop', address: 'monitors.shop' })
  })

  test('400: cursors that are none', async () => {
    for (const cursor of ['', 'x', 'mon_x', 'inc_01m7ef2j5re008007k9b361f3r', 'x'.repeat(101)]) {
      const answer = await fixture.api.get(`${EXT}/monitors?cursor=${cursor}`)
      assert.deepEqual(answer.paths, ['cursor'], cursor)
    }
  })
})

describe('figures', { concurrency: 4 }, () => {
  test('a monitor without history has figures without values', async () => {
    const { id } = await fixture.api.createMonitor()
    const at = `${EXT}/monitors/${id}`
    const uptime = (await fixture.api.get(`${at}/uptime?windows=7d,24h`)).json as {
      windows: { window: string; ratio: number | null }[]
    }
    assert.deepEqual(
      uptime.windows.map(({ window, ratio }) => [window, ratio]),
      [
        ['24h', null],
        ['7d', null],
      ],
    )
    const series = (await fixture.api.get(`${at}/response-times?step=300`)).json as {
      stepSeconds: number
      data: unknown[]
    }
    assert.deepEqual([series.stepSeconds, series.data], [300, []])
    assert.deepEqual((await fixture.api.get(`${at}/checks`)).json, { data: [], next: null })
  })

  test('the overview has open incidents, and counts by state', async () => {
    const { api, id: orgId } = await fixture.createOrganization()
    const monitor = await api.createMonitor()
    await api.createMonitor()
    const incidentId = await breakMonitor(fixture.db, orgId, monitor.id)
    const overview = (await api.get(`${EXT}/overview`)).json as {
      monitors: Record<string, number>
      incidents: { ongoing: number; latest: { id: string; monitorId: string }[] }
    }
    assert.deepEqual([overview.monitors['all'], overview.monitors['DOWN']], [2, 1])
    assert.equal(overview.incidents.latest[0]?.monitorId, monitor.id)
    assert.equal(overview.incidents.ongoing, 1)
    assert.equal(overview.incidents.latest[0]?.id, incidentId)
  })

  const wrong: [path: string, parameter: string][] = [
    ['uptime?windows=1h', 'windows'],
    ['uptime?windows=', 'windows'],
    ['response-times?step=7', 'step'],
    ['response-times?from=2026-11-01T00:00:00Z', 'to'],
    ['response-times?from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z', 'to'],
    ['response-times?from=2026-10-01T00:00:00Z&to=2026-10-05T00:00:00Z&step=60', 'step'],
    ['response-times?from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'from'],
    ['response-times?from=yesterday&to=today', 'from'],
    ['checks?outcome=OK', 'outcome'],
    ['checks?before=x', 'before'],
    ['checks?limit=1001', 'limit'],
  ]
  for (const [path, parameter] of wrong)
    test(`400: ${path}`, async () => {
      const { id } = await fixture.api.createMonitor()
      const answer = await fixture.api.get(`${EXT}/monitors/${id}/${path}`)
      assert.ok(answer.paths.includes(parameter), answer.text)
    })
})

describe('organization and subscribers', { concurrency: 4 }, () => {
  test('usage counts what the plan counts', async () => {
    const { api, id } = await fixture.createOrganization('FREE')
    await api.createMonitor()
    const usage = (await api.get(`${EXT}/usage`)).json as Record<string, unknown>
    assert.equal(usage['organizationId'], id)
    assert.equal(usage['plan'], 'FREE')
    assert.deepEqual(usage['monitors'], { used: 1, limit: 20 })
  })

  test('400: addresses that are none; 409: an installation that sends no email', async () => {
    const { api } = await fixture.createOrganization()
    const page = (await api.post('/status-pages', { name: 'P' })).json as { id: string }
    const path = `${EXT}/status-pages/${page.id}/subscribers`
    for (const address of ['x', 'a b@example.com', 'a@b', 'a@example.com\r\nBcc: b@example.com'])
      assert.deepEqual((await api.post(path, { address })).paths, ['address'], address)
    assert.equal((await api.post(path, { address: 'ana@example.com' })).code, 'conflict')
    const list = (await api.get(`${path}?state=WAITING`)).json as Listed<unknown>
    assert.deepEqual(list.data, [])
  })

  test('409 and 400: checks of what cannot be checked', async () => {
    const { api } = await fixture.createOrganization()
    const { id } = await api.createMonitor()
    assert.equal((await api.post(`${EXT}/monitors/${id}/checks`, {})).code, 'conflict')
    const wrong: [body: object, path: string][] = [
      [{ type: 'CRON' }, 'type'],
      [{ type: 'HTTP' }, 'url'],
      [{ type: 'PORT', host: 'example.com' }, 'port'],
      [{ type: 'PING', host: 'example.com', region: 'nowhere' }, 'region'],
    ]
    for (const [body, path] of wrong) {
      const answer = await api.post(`${EXT}/checks`, body)
      assert.ok(answer.paths.includes(path), answer.text)
    }
  })
})
