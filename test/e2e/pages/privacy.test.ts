// What no visitor may learn: URLs, hosts, headers, causes, keys, internal names. Each is a word that occurs nowhere
// else; every public URL is then read and searched for it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { seedIncident } from '../../kit/seed.ts'
import { type PagesFixture, startPagesFixture } from './fixture.ts'

const CANARIES = {
  url: 'canary-url',
  path: 'canary-path',
  host: 'canary-host',
  header: 'canary-header',
  body: 'canary-body',
  keyword: 'canary-keyword',
  cause: 'canary-cause',
  monitorName: 'canary-inside-name',
  windowName: 'canary-hidden-window',
  otherIncident: 'canary-other-page',
  otherComponent: 'canary-other-component',
  organization: 'canary-organization',
}

const PORT = 61_847
// Not as a part of an ETag or an id, where any five digits can occur.
const PORT_ALONE = new RegExp(`(?<![0-9a-z])${PORT}(?![0-9a-z])`, 'i')

let fixture: PagesFixture

before(async () => {
  fixture = await startPagesFixture()
})
after(() => fixture?.stop())

async function post(path: string, body: Record<string, unknown>): Promise<{ id: string }> {
  const answer = await fixture.api.post(path, body)
  assert.equal(answer.status, 201, answer.text)
  return JSON.parse(answer.text) as { id: string }
}

/** Monitors full of secrets behind components with names of their own. */
async function seedEverything(): Promise<string> {
  await fixture.db.run('update organizations set name = $1', [CANARIES.organization])
  const web = await fixture.api.createMonitor({
    name: CANARIES.monitorName,
    type: 'KEYWORD',
    url: `https://${CANARIES.url}.test/${CANARIES.path}`,
    keyword: CANARIES.keyword,
    method: 'POST',
    requestHeaders: { 'X-Token': CANARIES.header },
    requestBody: CANARIES.body,
  })
  const port = await fixture.api.createMonitor({
    name: `${CANARIES.monitorName}-2`,
    type: 'PORT',
    host: `${CANARIES.host}.test`,
    port: PORT,
  })
  const component = (monitorId: string, name: string) => ({ name, monitorId })
  const page = await post('/status-pages', {
    name: 'Acme',
    slug: 'acme',
    showResponseTime: true,
    sections: [{ name: 'All', components: [component(web.id, 'Web'), component(port.id, 'Port')] }],
  })
  const other = await post('/status-pages', {
    name: 'Other',
    slug: 'other',
    published: false,
    sections: [{ components: [component(web.id, CANARIES.otherComponent)] }],
  })
  for (const { id } of [web, port])
    await seedIncident(fixture.db, { orgId: fixture.orgId, monitorId: id, cause: CANARIES.cause })
  await fixture.db.run(
    `update monitor_states set state = 'DOWN', last_status_changed_at = now(), last_checked_at = now()`,
  )
  await post('/status-incidents', {
    title: 'Something is wrong',
    statusPageIds: [page.id],
    message: 'We look.',
  })
  await post('/status-incidents', { title: CANARIES.otherIncident, statusPageIds: [other.id] })
  const window = {
    startsAt: new Date(Date.now() + 3_600_000).toISOString(),
    endsAt: new Date(Date.now() + 7_200_000).toISOString(),
    monitorIds: [web.id],
  }
  await post('/maintenance-windows', { ...window, name: 'Planned work' })
  await post('/maintenance-windows', {
    ...window,
    name: CANARIES.windowName,
    showOnStatusPages: false,
  })
  return page.id
}

test('every public address of a page is searched, and none of them knows more than the page says', async (t) => {
  const pageId = await seedEverything()
  const seen = new Set<string>()
  const waiting = ['/status/acme', '/status/acme/embed', '/status/acme/badge.svg', '/status/other']
  const leaks: string[] = []
  const { keys } = fixture
  const secrets = [...Object.values(CANARIES), ...Object.values(keys), '"mon_']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const { text, headers } = await fixture.read(path)
    const everything = `${JSON.stringify(headers)}\n${text}`
    leaks.push(
      ...secrets.filter((secret) => everything.includes(secret)).map((s) => `${path}: ${s}`),
    )
    if (PORT_ALONE.test(everything)) leaks.push(`${path}: ${PORT}`)
    for (const [, href = ''] of text.matchAll(/(?:href|src)="([^"#]+)/g))
      waiting.push(href.startsWith('/') ? href : new URL(href).pathname)
    for (const [id] of text.matchAll(/cmp_[0-9a-z]{26}/g))
      waiting.push(`/status/acme/badge/${id}.svg`)
  }
  t.diagnostic(`${seen.size} addresses`)
  assert.ok(seen.size >= 14, [...seen].join(' '))
  assert.deepEqual(leaks, [])
  const page = (await fixture.read('/status/acme')).text
  for (const shown of ['Something is wrong', 'Planned work', '<bdi>Web</bdi>', '<bdi>Port</bdi>'])
    assert.ok(page.includes(shown), shown)
  assert.ok((await fixture.read('/status/acme/status.json')).text.includes(pageId))
})
