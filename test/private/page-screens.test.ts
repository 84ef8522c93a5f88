// Status pages as the dashboard reads them, and previews before they are saved.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { toUuid } from '../kit/ids.ts'
import type { ApiResponse } from '../kit/response.ts'
import type { StatusIncident, StatusPage } from '../kit/status-shapes.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { createTeam, type Team } from './screens.ts'

let fixture: AppFixture
before(async () => {
  fixture = await startAppFixture()
})
after(() => fixture.stop())

type Drawing = { html: string; style: string }

async function withPage() {
  const team = await createTeam(fixture)
  const base = `/organizations/${team.orgId}`
  const monitor = await team.createMonitor({
    name: 'internal-host-7',
    type: 'HTTP',
    url: 'https://a.example.com/',
  })
  const sections = [{ name: 'Shop', components: [{ name: 'Checkout', monitorId: monitor.id }] }]
  const made = await team.owner.post(`${base}/status-pages`, { name: 'Acme', sections })
  const page = made.json as StatusPage
  const draw = (body: object, visitor = team.member) =>
    visitor.post(`${base}/status-page-drafts`, body)
  return { team, base, monitor, page, draw }
}

const drawn = (answer: ApiResponse): Drawing => {
  assert.equal(answer.status, 200, answer.text)
  return answer.json as Drawing
}

const auditLines = async ({ owner, orgId }: Team) => {
  const answer = await owner.get(`/organizations/${orgId}/audit-log`)
  return (answer.json as { pagination: { total: number } }).pagination.total
}

test('overview/status-pages: confirmed subscribers and open incidents are counted, for each page its own', async () => {
  const { team, base, page } = await withPage()
  await team.owner.post(`${base}/status-pages`, { name: 'Other' })
  await team.owner.post(`${base}/status-incidents`, {
    title: 'Slow',
    statusPageIds: [page.id],
    message: 'Looking.',
  })
  await subscribe(page.id, 'now()')
  await subscribe(page.id, 'now()')
  await subscribe(page.id, 'null')
  type Row = { name: string; subscribers: number; openIncidents: number }
  const { data } = (await team.reader.get(`${base}/overview/status-pages`)).json as { data: Row[] }
  assert.deepEqual(
    data.map(({ name, subscribers, openIncidents }) => [name, subscribers, openIncidents]),
    [
      ['Other', 0, 0],
      ['Acme', 2, 1],
    ],
  )
  const one = await team.reader.get(`${base}/overview/status-pages/${page.id}`)
  assert.equal((one.json as Row).subscribers, 2)
  const other = await createTeam(fixture)
  const foreign = `/organizations/${other.orgId}/overview/status-pages/${page.id}`
  assert.equal((await other.owner.get(foreign)).status, 404)
})

test('overview/status-pages: each component comes with its monitor, and says what was set by hand', async () => {
  const { team, base, monitor, page } = await withPage()
  const sections = [
    {
      id: page.sections[0]?.id,
      components: [
        { monitorId: monitor.id },
        { name: 'Checkout', monitorId: monitor.id },
        { name: 'Catalogue', manualState: 'DEGRADED' },
      ],
    },
  ]
  await team.owner.patch(`${base}/status-pages/${page.id}`, { sections })
  const read = await team.reader.get(`${base}/overview/status-pages/${page.id}`)
  type Component = { name: string; ownName: string | null; manualState: string; monitor: object }
  const own = (read.json as { sections: { components: Component[] }[] }).sections[0]?.components
  const shown = { name: 'internal-host-7', type: 'HTTP', state: 'PENDING' }
  assert.deepEqual(
    own?.map((one) => [one.name, one.ownName, one.manualState, one.monitor]),
    [
      ['internal-host-7', null, null, shown],
      ['Checkout', 'Checkout', null, shown],
      ['Catalogue', 'Catalogue', 'DEGRADED', null],
    ],
  )
})

test('overview/status-incidents: ongoing first, then by when it began, page by page', async () => {
  const { team, base, page } = await withPage()
  const other = await team.owner.post(`${base}/status-pages`, { name: 'Other' })
  const publish = (title: string, startedAt: string, more: object = {}) =>
    team.owner.post(`${base}/status-incidents`, {
      title,
      startedAt,
      statusPageIds: [page.id],
      message: 'Sent.',
      ...more,
    })
  const over = { status: 'RESOLVED', resolvedAt: '2026-11-12T10:00:00Z' }
  await publish('over, newer', '2026-11-12T09:00:00Z', over)
  await publish('on, older', '2026-11-01T09:00:00Z')
  await publish('over, older', '2026-11-02T09:00:00Z', over)
  await publish('on, newer', '2026-11-11T09:00:00Z')
  await publish('elsewhere', '2026-11-13T08:00:00Z', {
    statusPageIds: [(other.json as StatusPage).id],
  })
  type Rows = { data: { title: string; updates: number }[]; pagination: { total: number } }
  const read = async (query: string) =>
    (await team.reader.get(`${base}/overview/status-incidents?${query}`)).json as Rows
  const titles = async (query: string) => (await read(query)).data.map(({ title }) => title)
  const wanted = ['on, newer', 'on, older', 'over, newer', 'over, older']
  assert.deepEqual(await titles(''), ['elsewhere', ...wanted])
  assert.deepEqual(await titles(`statusPageId=${page.id}`), wanted)
  const pages = [0, 1, 2, 3].map((n) => titles(`statusPageId=${page.id}&limit=1&offset=${n}`))
  assert.deepEqual((await Promise.all(pages)).flat(), wanted)
  const past = await read(`statusPageId=${page.id}&offset=9`)
  assert.deepEqual([past.data, past.pagination.total], [[], 4])
  assert.deepEqual(await titles('statusPageId=sp_nothing'), [])
  assert.equal((await read('limit=1')).data[0]?.updates, 1)
  const foreign = await createTeam(fixture)
  const elsewhere = `/organizations/${foreign.orgId}/overview/status-incidents`
  assert.deepEqual(((await foreign.owner.get(elsewhere)).json as Rows).data, [])
})

test('an address that is taken: reported at its field here, and by its code alone in the public API', async () => {
  const { team, base, page } = await withPage()
  const key = await fixture.createKey(team.orgId)
  const fields = { name: 'Other', customDomain: `${page.slug}.example.com` }
  const other = (await team.owner.post(`${base}/status-pages`, fields)).json as StatusPage
  await fixture.db.run(
    `update status_pages set custom_domain_status = 'ACTIVE' where custom_domain = $1`,
    [fields.customDomain],
  )
  const wishes = [
    ['slug', other.id, { slug: page.slug }],
    ['slug', other.id, { slug: 'api' }],
    ['customDomain', page.id, { customDomain: fields.customDomain }],
  ] as const
  for (const [path, id, wish] of wishes) {
    const here = await team.owner.patch(`${base}/status-pages/${id}`, wish)
    assert.deepEqual([here.status, here.code, here.paths], [409, 'conflict', [path]])
    const made = await team.owner.post(`${base}/status-pages`, { name: 'Third', ...wish })
    assert.deepEqual([made.status, made.paths], [409, [path]])
    const there = await fixture.api.as(key).patch(`/status-pages/${id}`, wish)
    assert.deepEqual([there.status, there.code, there.paths], [409, 'conflict', []])
    assert.equal(there.error.message, here.error.message)
  }
})

test('previewStatusPage: what is not saved stands on it, is kept nowhere, and nobody else sees it', async () => {
  const { team, base, monitor, page, draw } = await withPage()
  const second = await team.createMonitor({
    name: 'Second host',
    type: 'HTTP',
    url: 'https://b.example.com/',
  })
  const before = await auditLines(team)
  const kept = page.sections[0]?.components[0]
  const draft = {
    statusPageId: page.id,
    name: 'Acme <b>Nord</b>',
    locale: 'de',
    theme: 'DARK',
    accentColor: '#0f766e',
    sections: [{ name: 'Neu', components: [{ id: kept?.id }, { monitorId: second.id }] }],
  }
  const { html, style } = drawn(await draw(draft))
  assert.match(html, /<html lang="de"[^>]* data-theme="dark">/)
  assert.match(html, /Acme &lt;b&gt;Nord&lt;\/b&gt;/)
  assert.match(html, /Neu.*Checkout.*Second host/s)
  assert.doesNotMatch(html, /internal-host-7|<style>/)
  assert.match(style, /--accent:light-dark\(#0f766e/)
  assert.equal(await auditLines(team), before)
  const saved = (await team.reader.get(`${base}/status-pages/${page.id}`)).json as StatusPage
  assert.equal(saved.name, 'Acme')
  assert.equal(saved.sections[0]?.components[0]?.monitorId, monitor.id)
})

test('previewStatusPage: of a page that does not exist yet, and of one that is not published', async () => {
  const { team, base, monitor, page, draw } = await withPage()
  const fresh = drawn(await draw({ name: 'Fresh', monitorIds: [monitor.id] }))
  assert.match(fresh.html, /Fresh.*internal-host-7/s)
  await team.owner.patch(`${base}/status-pages/${page.id}`, { published: false })
  assert.match(drawn(await draw({ statusPageId: page.id }, team.reader)).html, /Checkout/)
})

test('previewStatusPage: refused at the field by the rules of the page, and nothing of another organization', async () => {
  const { page, monitor, draw } = await withPage()
  const { draw: elsewhere } = await withPage()
  for (const [body, path] of [
    [{ accentColor: '#12' }, 'accentColor'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ logoUrl: 'javascript:alert(1)' }, 'logoUrl'],
    [{ sections: [{ components: [{}] }] }, 'sections.0.components.0.name'],
  ] as const) {
    const answer = await draw({ statusPageId: page.id, ...body })
    assert.deepEqual([answer.status, answer.paths], [400, [path]])
  }
  assert.equal((await elsewhere({ statusPageId: page.id })).status, 404)
  assert.deepEqual((await elsewhere({ monitorIds: [monitor.id] })).paths, ['monitorIds.0'])
})

test('previewStatusIncident: the update that is written stands on top of those there are, and is not posted', async () => {
  const { team, base, page } = await withPage()
  const componentId = page.sections[0]?.components[0]?.id
  const made = await team.owner.post(`${base}/status-incidents`, {
    title: 'Slow',
    statusPageIds: [page.id],
    message: 'First words.',
  })
  const incident = made.json as StatusIncident
  const draft = {
    statusPageId: page.id,
    statusIncidentId: incident.id,
    title: 'Slow answers',
    status: 'IDENTIFIED',
    impact: 'MAJOR',
    components: [{ componentId, state: 'PARTIAL_OUTAGE' }],
    message: 'A **fix** <script>alert(1)</script>',
  }
  const draw = (body: object) => team.member.post(`${base}/status-incident-drafts`, body)
  const { html } = drawn(await draw(draft))
  assert.match(html, /Slow answers.*<strong>fix<\/strong> &lt;script&gt;.*First words\./s)
  assert.match(html, /Checkout<\/bdi>: Partial outage/)
  const { statusIncidentId: _, ...unpublished } = draft
  assert.doesNotMatch(drawn(await draw(unpublished)).html, /First words/)
  const after = (await team.reader.get(`${base}/status-incidents/${incident.id}`)).json
  assert.equal((after as StatusIncident).updates.length, 1)
  const other = await createTeam(fixture)
  const foreign = `/organizations/${other.orgId}/status-incident-drafts`
  assert.equal((await other.owner.post(foreign, draft)).status, 404)
})

test('/app/preview: an origin of its own, one known script, and only the dashboard around it', async () => {
  const answer = await fetch(`${fixture.service.baseUrl}/app/preview`)
  const policy = answer.headers.get('content-security-policy') ?? ''
  assert.equal(answer.status, 200)
  assert.match(policy, /default-src 'none'; script-src 'sha256-[^ ;]+';/)
  assert.match(policy, /frame-ancestors 'self'; sandbox allow-scripts$/)
  assert.doesNotMatch(policy, /unsafe|same-origin|connect-src/)
})

async function subscribe(pageId: string, confirmedAt: 'now()' | 'null'): Promise<void> {
  await fixture.db.run(
    `insert into page_subscribers (id, org_id, page_id, email, email_hash, token, token_hash, confirmed_at, asked_at)
     select gen_random_uuid(), org_id, id, 'x', sha256(gen_random_uuid()::text::bytea), 'x',
            sha256(gen_random_uuid()::text::bytea), ${confirmedAt}, now()
       from status_pages where id = $1`,
    [toUuid(pageId)],
  )
}
