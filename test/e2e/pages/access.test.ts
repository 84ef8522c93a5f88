// Who may see a page, and under which host names: passwords, custom domains, hosts that are not the service's.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type DnsServer, startDnsServer } from '../../kit/targets/dns-server.ts'
import { type PagesFixture, startPagesFixture, textOf, until } from './fixture.ts'
import { ago, type Seeded } from './world.ts'

const STATUS_HOST = 'status.upvane.test'
const DOMAIN = 'status.acme.test'
const PASSWORD = 'correct horse – ünïcode'
const PAGE = '/status/locked'
const DAY_MINUTES = 1440

let fixture: PagesFixture
let acme: Seeded
let dns: DnsServer

before(async () => {
  fixture = await startPagesFixture({
    BASE_URL: 'https://upvane.test',
    STATUS_BASE_URL: `https://${STATUS_HOST}`,
  })
  acme = await fixture.world.seedPage({
    slug: 'acme',
    name: 'Acme',
    settings: { custom_domain: DOMAIN, custom_domain_status: 'ACTIVE' },
    sections: [
      {
        name: null,
        components: [
          { name: 'API', disruptions: [{ daysAgo: 3, minutes: 30, state: 'DOWN' }] },
          { name: 'Web' },
        ],
      },
    ],
    incidents: [{ title: 'Odd', startedMinutesAgo: 5, affects: { API: 'DEGRADED' } }],
  })
  const made = await fixture.api.post('/status-pages', {
    name: 'Locked',
    slug: 'locked',
    password: PASSWORD,
    sections: [{ components: [{ name: 'Secret component', manualState: 'OPERATIONAL' }] }],
  })
  assert.equal(made.status, 201, made.text)
})
after(async () => {
  dns?.close()
  await fixture?.stop()
})

const onStatusHost = { host: STATUS_HOST }
const unlock = (password: string, more: Record<string, string> = {}) => ({
  method: 'POST',
  host: STATUS_HOST,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ password, next: '', ...more }).toString(),
})

test('hosts: a custom domain and the pages’ own host serve pages and nothing else', async () => {
  for (const host of [STATUS_HOST, DOMAIN, `${STATUS_HOST}:8443`, `${STATUS_HOST}.`])
    for (const path of [
      '/api/v1/monitors',
      '/docs',
      '/openapi.json',
      '/hb/x',
      '/app',
      '/app/api/me',
    ])
      assert.equal((await fixture.read(path, { host })).status, 404, `${host}${path}`)
  assert.equal((await fixture.read('/', onStatusHost)).status, 404)
})

test('hosts: every other name leads to the pages’ host, and has everything else', async () => {
  const hosts = ['upvane.test', 'UPVANE.test:443', '127.0.0.1', 'localhost:8080', 'upvane']
  for (const host of [...hosts, 'somebody-else.test', 'host.docker.internal:8080']) {
    const { status, headers } = await fixture.read('/status/acme/history?x=1', { host })
    assert.equal(status, 302, host)
    assert.equal(headers['location'], `https://${STATUS_HOST}/status/acme/history?x=1`)
    assert.equal((await fixture.read('/api/v1/monitors', { host })).status, 401, host)
  }
})

test('custom domain: the page at its root, with all of its addresses below', async () => {
  const { status, text } = await fixture.read('/', { host: DOMAIN.toUpperCase() })
  assert.equal(status, 200)
  assert.match(textOf(text), /Odd .* API/)
  assert.match(text, /<link rel="canonical" href="https:\/\/status\.acme\.test">/)
  const links = [...text.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, href = '']) => href)
  assert.ok(links.length > 10)
  for (const link of links) {
    assert.doesNotMatch(link, /^\/status\//)
    assert.equal((await fixture.read(link.split('#')[0] ?? '', { host: DOMAIN })).status, 200, link)
  }
  const summary = await fixture.read('/status.json', { host: DOMAIN })
  assert.equal(JSON.parse(summary.text).page.url, `https://${DOMAIN}`)
  const bySlug = await fixture.read('/status/acme', onStatusHost)
  assert.equal(bySlug.status, 200)
  assert.match(bySlug.text, /<link rel="canonical" href="https:\/\/status\.acme\.test">/)
})

test('custom domain 404: one that is not proven, and one that is taken away', async () => {
  await fixture.world.seedPage({
    slug: 'pending',
    name: 'Pending',
    settings: { custom_domain: 'pending.test', custom_domain_status: 'PENDING' },
    sections: [],
  })
  assert.equal((await fixture.read('/status.json', { host: 'pending.test' })).status, 404)
  const set = (status: string) =>
    fixture.db.run('update status_pages set custom_domain_status = $2 where id = $1', [
      acme.pageUuid,
      status,
    ])
  await set('FAILED')
  await until(
    () => fixture.read('/status.json', { host: DOMAIN }),
    ({ status }) => status === 404,
    2000,
  )
  await set('ACTIVE')
  await until(
    () => fixture.read('/status.json', { host: DOMAIN }),
    ({ status }) => status === 200,
    2000,
  )
})

test('tls/ask: 200 for our own hosts and proven domains of published pages, 404 for every other name', async () => {
  const ask = async (query: string) =>
    (await fetch(`${fixture.service.internalUrl}/tls/ask${query}`)).status
  assert.equal(await ask(`?domain=${DOMAIN}`), 200)
  assert.equal(await ask(`?domain=${DOMAIN.toUpperCase()}`), 200)
  assert.equal(await ask('?domain=upvane.test'), 200)
  for (const query of ['', '?domain=', '?domain=pending.test', '?domain=other.test', '?x=1'])
    assert.equal(await ask(query), 404, query)
  assert.equal((await fixture.read('/tls/ask?domain=x', { host: 'upvane.test' })).status, 404)
})

test('custom domain: DNS that names the page proves it, silence changes nothing', async () => {
  const domains: [
    domain: string,
    status: string,
    checkedMinutesAgo: number | null,
    after: string,
  ][] = [
    ['right.test', 'PENDING', null, 'ACTIVE'],
    ['again.test', 'FAILED', 90, 'ACTIVE'],
    ['other-page.test', 'PENDING', null, 'PENDING'],
    ['missing.test', 'PENDING', null, 'PENDING'],
    ['gone.test', 'ACTIVE', 4 * DAY_MINUTES, 'FAILED'],
    ['gone-a-day.test', 'ACTIVE', DAY_MINUTES, 'ACTIVE'],
    ['silent.test', 'ACTIVE', 9 * DAY_MINUTES, 'ACTIVE'],
    ['not-due.test', 'FAILED', 10, 'FAILED'],
  ]
  // Another page claimed it first and never verified it.
  await fixture.world.seedPage({
    slug: 'squatter',
    name: 'Squatter',
    settings: { custom_domain: 'right.test', custom_domain_status: 'PENDING' },
    sections: [],
  })
  const texts = new Map<string, string>()
  for (const [domain, status, minutes] of domains) {
    const { pageId } = await fixture.world.seedPage({
      slug: domain.replaceAll('.', '-'),
      name: domain,
      settings: {
        custom_domain: domain,
        custom_domain_status: status,
        custom_domain_checked_at: minutes === null ? null : ago(minutes),
      },
      sections: [],
    })
    if (['right.test', 'again.test', 'not-due.test'].includes(domain))
      texts.set(`_upvane.${domain}`, pageId)
  }
  texts.set('_upvane.other-page.test', acme.pageId)
  dns = await startDnsServer(({ name, type }) => {
    if (name === '_upvane.silent.test') return 'SILENCE'
    const text = type === 'TXT' ? texts.get(name) : undefined
    return text === undefined ? 'NXDOMAIN' : { answers: [{ type: 'TXT', name, data: text }] }
  })
  const janitor = await fixture.stack.start('janitor', { env: { PROBE_DNS_SERVERS: dns.address } })
  const statuses = async () =>
    new Map(
      (
        await fixture.db.run<{ domain: string; status: string }>(
          `select custom_domain as domain, custom_domain_status as status from status_pages
            where custom_domain is not null and slug <> 'squatter'`,
        )
      ).map(({ domain, status }) => [domain, status]),
    )
  for (let i = 0; i < 100 && (await statuses()).get('gone.test') !== 'FAILED'; i++) await delay(100)
  // It finishes the work in flight: all eight are looked up at once, the silent one until it times out.
  await janitor.stop()
  const now = await statuses()
  for (const [domain, , , after] of domains) assert.equal(now.get(domain), after, domain)
  assert.ok(!dns.asked.includes('TXT _upvane.not-due.test'))
  assert.equal((await fixture.read('/status.json', { host: 'right.test' })).status, 200)
})

test('password 401: people get a form that reveals nothing, machines the bare status', async () => {
  for (const path of ['', '/history', '/incidents/sin_x', '/nothing']) {
    const { status, headers, text } = await fixture.read(`${PAGE}${path}`, onStatusHost)
    assert.equal(status, 401, path)
    assert.match(text, /<input class="input" type="password"/)
    assert.doesNotMatch(text, /Locked|Secret component|Operational/)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-robots-tag'], 'noindex')
  }
  for (const path of ['/feed.rss', '/feed.atom', '/status.json', '/badge.svg', '/embed']) {
    const { status, body } = await fixture.read(`${PAGE}${path}`, onStatusHost)
    assert.equal(status, 401, path)
    assert.equal(body.length, 0)
  }
})

test('password: the right one opens this page alone, for 30 days, until it is changed', async () => {
  const opened = await fixture.read(`${PAGE}/unlock`, unlock(PASSWORD, { next: '/history' }))
  assert.equal(opened.status, 303)
  assert.equal(opened.headers['location'], `${PAGE}/history`)
  const [cookie = ''] = opened.headers['set-cookie'] ?? []
  assert.match(
    cookie,
    /^upvane_page=\d+\.[\w-]{43}; Path=\/status\/locked; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
  )
  const headers = { Cookie: cookie.split(';')[0] }
  const withCookie = (path: string) => fixture.read(path, { host: STATUS_HOST, headers })
  const page = await withCookie(PAGE)
  assert.equal(page.status, 200)
  assert.match(page.text, /Secret component/)
  assert.equal(page.headers['cache-control'], 'private, no-cache')
  assert.equal(page.headers['vary'], 'Accept-Encoding, Cookie')
  assert.equal((await withCookie(`${PAGE}/status.json`)).status, 200)

  const forged = { Cookie: `upvane_page=9999999999.${'A'.repeat(43)}` }
  assert.equal((await fixture.read(PAGE, { host: STATUS_HOST, headers: forged })).status, 401)

  const changed = await fixture.api.patch(`/status-pages/${await pageIdOf('locked')}`, {
    password: 'another password',
  })
  assert.equal(changed.status, 200, changed.text)
  await until(
    () => withCookie(PAGE),
    ({ status }) => status === 401,
    2000,
  )
  const removed = await fixture.api.patch(`/status-pages/${await pageIdOf('locked')}`, {
    password: null,
  })
  assert.equal(removed.status, 200)
  await until(
    () => fixture.read(PAGE, onStatusHost),
    ({ status }) => status === 200,
    2000,
  )
})

async function pageIdOf(slug: string): Promise<string> {
  const found = await fixture.api.get(`/status-pages?q=${slug}`)
  return (JSON.parse(found.text) as { data: { id: string }[] }).data[0]?.id ?? ''
}

test('password: after ten wrong ones an address waits; others do not', async () => {
  const made = await fixture.api.post('/status-pages', {
    name: 'Guessed',
    slug: 'guessed',
    password: PASSWORD,
  })
  assert.equal(made.status, 201)
  const guess = (password: string) => fixture.read('/status/guessed/unlock', unlock(password))
  const wrong = await guess('wrong')
  assert.equal(wrong.status, 401)
  assert.match(wrong.text, /role="alert"/)
  const more = await Promise.all(Array.from({ length: 9 }, (_, i) => guess(`wrong ${i}`)))
  assert.deepEqual(new Set(more.map(({ status }) => status)), new Set([401]))
  for (const password of ['wrong', PASSWORD]) {
    const refused = await guess(password)
    assert.equal(refused.status, 429)
    assert.equal(refused.headers['retry-after'], '900')
    assert.equal(refused.headers['set-cookie'], undefined)
  }
})

test('password: the redirect stays on this page', async () => {
  await fixture.world.seedPage({ slug: 'open-page', name: 'Open', sections: [] })
  const made = await fixture.api.post('/status-pages', {
    name: 'Next',
    slug: 'next-page',
    password: PASSWORD,
  })
  assert.equal(made.status, 201)
  for (const next of [
    '//evil.test',
    'https://evil.test',
    '/../open-page',
    '/status.json',
    '\\evil',
  ])
    assert.equal(
      (await fixture.read('/status/next-page/unlock', unlock(PASSWORD, { next }))).headers[
        'location'
      ],
      '/status/next-page',
      next,
    )
  const tooLong = await fixture.read('/status/next-page/unlock', unlock('x'.repeat(10_000)))
  assert.equal(tooLong.status, 401)
})
