// The public page and everything below it, as any client reads it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { acmePage, severalPage } from './acme.ts'
import { type PagesFixture, type Reply, startPagesFixture, textOf, until } from './fixture.ts'
import type { Seeded } from './world.ts'
import { all, one, parseXml } from './xml.ts'

const PAGE = '/status/acme'
let fixture: PagesFixture
let acme: Seeded

before(async () => {
  fixture = await startPagesFixture({
    SMTP_URL: 'smtp://127.0.0.1:9?tls=off',
    SMTP_FROM: 'status@example.com',
  })
  acme = await fixture.world.seedPage(acmePage('acme', 'degraded'))
})
after(() => fixture?.stop())

const withoutId = ({ headers, status, text }: Reply) => {
  const { 'x-request-id': _, date: __, ...rest } = headers
  return { status, text, headers: rest }
}

test('page 200: may be kept by anybody for a moment, and promises browsers what it is', async () => {
  const { status, headers } = await fixture.read(PAGE)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(
    headers['cache-control'],
    'public, max-age=15, stale-while-revalidate=60, stale-if-error=86400',
  )
  assert.equal(headers['vary'], 'Accept-Encoding')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['referrer-policy'], 'same-origin')
  assert.equal(headers['x-frame-options'], 'DENY')
  assert.equal(headers['set-cookie'], undefined)
  assert.equal(headers['x-robots-tag'], undefined)
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; style-src 'sha256-[\w+/=]{44}';/)
  assert.match(policy, /frame-ancestors 'none'$/)
  assert.doesNotMatch(policy, /unsafe|https:|\*/)
})

test('page: in the order people read it, with nothing missing', async () => {
  const { text } = await fixture.read(PAGE)
  const words = textOf(text)
  const order = [
    'Acme',
    'History',
    'API responses are slow',
    'Degraded · 2 of 20 components affected · since',
    'A fix is deployed',
    'Scheduled: Database upgrade',
    'Components',
    'Core platform',
    'Sign-in and single sign-on',
    'بوابة الدفع – الرياض',
    'Integrations',
    'Past incidents',
    'No other incidents today',
    'API unreachable',
    'RSS',
    'Updated',
  ]
  let at = 0
  for (const part of order) {
    const found = words.indexOf(part, at)
    assert.notEqual(found, -1, `${part} is missing, or stands too early`)
    at = found
  }
  assert.match(text, /<section class="hero is-degraded" role="status">/)
  assert.equal(text.match(/<div class="comp">/g)?.length, 20)
  assert.equal(text.match(/role="group" aria-label="/g)?.length, 20)
})

test('several open incidents: one banner for the page, and a short card for each', async () => {
  const seeded = await fixture.world.seedPage(severalPage('several'))
  const { text } = await fixture.read('/status/several')
  assert.equal(text.match(/<section class="hero /g)?.length, 1)
  assert.match(text, /<section class="hero is-down" role="status">/)
  const [, banner = ''] = /<section class="hero [^>]*>([^]*?)<\/section>/.exec(text) ?? []
  assert.match(
    textOf(banner),
    /Some systems are down Partial outage · 3 of 20 components affected · 2 open incidents/,
  )
  const cards = [...text.matchAll(/<article class="open-incident ([^"]*)">([^]*?)<\/article>/g)]
  assert.deepEqual(
    cards.map(([, tone]) => tone),
    ['is-down', 'is-degraded'],
    'the worst first',
  )
  for (const [index, id] of seeded.incidents.slice(0, 2).entries())
    assert.ok(cards[index]?.[2]?.includes(`href="/status/several/incidents/${id}"`))
  assert.match(
    textOf(cards[0]?.[2] ?? ''),
    /Exports are late Identified · since .* · Exports and scheduled reports A worker is stuck\. We restart it\./,
  )
  assert.match(text, /<meta name="description" content="Some systems are down">/)
  const embed = await fixture.read('/status/several/embed')
  assert.match(textOf(embed.text), /Acme Some systems are down/)
})

test('history: what is ongoing is marked with its state, as what is resolved is', async () => {
  const { text } = await fixture.read(`${PAGE}/history`)
  const articles = text.split('<article').slice(1)
  const marked = (title: string) =>
    /class="state is-(\w+)[^"]*">.*?<\/svg>([^<]+)/.exec(
      articles.find((article) => article.includes(`>${title}<`)) ?? '',
    )
  assert.deepEqual(marked('API responses are slow')?.slice(1), ['degraded', 'Monitoring'])
  assert.deepEqual(marked('API unreachable')?.slice(1), ['up', 'Resolved'])
})

test('page 404 below a page: has its header and leads back to it, in its language', async () => {
  await fixture.world.seedPage({
    slug: 'verloren',
    name: 'Verloren',
    settings: { locale: 'de', logo_url: 'https://cdn.example.com/logo.png' },
    sections: [],
  })
  const { status, headers, text } = await fixture.read('/status/verloren/incidents/none')
  assert.equal(status, 404)
  assert.match(text, /<h1>Seite nicht gefunden<\/h1>/)
  assert.match(text, /<a class="link" href="\/status\/verloren">Zurück zur Statusseite<\/a>/)
  assert.match(text, /<img src="https:\/\/cdn\.example\.com\/logo\.png"/)
  assert.match(String(headers['content-security-policy']), /img-src 'self' https:\/\/cdn\.example/)
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['x-robots-tag'], 'noindex')
  assert.doesNotMatch(text, /<script/, 'nothing loads it again')
})

test('subscribe: email, RSS and Atom in one menu, and the field itself on an ongoing incident', async () => {
  const menu = /<details class="menu">([^]*?)<\/header>/
  const [open, over] = acme.incidents
  for (const path of ['', '/history', `/incidents/${open}`]) {
    const [, content = ''] = menu.exec((await fixture.read(`${PAGE}${path}`)).text) ?? []
    assert.match(content, /<form[^>]* action="\/status\/acme\/subscribe">.*name="email"/, path)
    assert.match(
      content,
      /href="\/status\/acme\/feed\.rss">RSS<.*href="\/status\/acme\/feed\.atom">Atom</,
    )
  }
  const main = async (id: string | undefined) =>
    /<main[^]*<\/main>/.exec((await fixture.read(`${PAGE}/incidents/${id}`)).text)?.[0] ?? ''
  assert.match(await main(open), /class="notice".*<form[^>]*>.*name="email"/)
  assert.doesNotMatch(await main(over), /<form/)
})

test('bars: 90 days for each component, the bad ones linked and named', async () => {
  const { text } = await fixture.read(PAGE)
  const drawings = [...text.matchAll(/<svg viewBox="0 0 717 30"[^]*?<\/svg>/g)].map(([svg]) => svg)
  for (const svg of drawings) {
    const plain =
      svg
        .match(/b-(?:up|none)" d="([^"]*)"/g)
        ?.join('')
        .match(/z/g)?.length ?? 0
    const bad = svg.match(/<a href="[^"]+"><title>[^<]+<\/title>/g)?.length ?? 0
    assert.equal(plain + bad, 90, svg.slice(0, 200))
  }
  const api = drawings.find((svg) => svg.includes('aria-label="API:')) ?? ''
  assert.match(api, /aria-label="API: 99\.98% uptime, 90 days\. .*Degraded, \d+ min/)
  // Near midnight the outage spans two days, each shown in whole minutes.
  const label = /aria-label="([^"]*)"/.exec(api)?.[1] ?? ''
  const down = [...label.matchAll(/Down, (\d+) min/g)].map(([, minutes]) => Number(minutes))
  const total = down.reduce((sum, minutes) => sum + minutes, 0)
  assert.ok(total <= 21 && total > 21 - down.length, label)
})

test('page: every address on it leads somewhere', async () => {
  const seen = new Set<string>()
  const waiting = [PAGE]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    seen.add(path)
    const { status, text } = await fixture.read(path)
    assert.equal(status, 200, path)
    for (const [, href = ''] of text.matchAll(/(?:href|src)="([^"]+)"/g)) {
      const [target = '', anchor] = href.split('#')
      if (anchor !== undefined && target === `${PAGE}/history`)
        assert.ok((await fixture.read(target)).text.includes(`id="${anchor}"`), href)
      if (target.startsWith('/') && !seen.has(target)) waiting.push(target)
      seen.add(target)
    }
  }
  const incidents = [...seen].filter((path) => path.startsWith(`${PAGE}/incidents/`))
  assert.equal(incidents.length, 7)
  assert.ok(seen.has(`${PAGE}/subscribe`), 'where mail is sent, readers can subscribe')
  assert.ok(seen.size > 15, `${seen.size} addresses`)
})

test('page: a known copy is confirmed by 304, HEAD has the headers alone', async () => {
  // Copies from before and after the once-a-minute rebuild differ: then try again.
  for (let attempt = 0; attempt < 3; attempt++) {
    const full = await fixture.read(PAGE)
    const tag = String(full.headers['etag'])
    const known = await fixture.read(PAGE, { headers: { 'If-None-Match': `"x", ${tag}` } })
    if (known.status !== 304) continue
    assert.equal(known.body.length, 0)
    for (const name of ['etag', 'cache-control', 'vary', 'content-security-policy'])
      assert.equal(known.headers[name], full.headers[name], name)
    const head = await fixture.read(PAGE, { method: 'HEAD' })
    assert.equal(head.status, 200)
    assert.equal(head.body.length, 0)
    assert.equal(head.headers['content-length'], full.headers['content-length'])
    return
  }
  assert.fail('never 304')
})

test('page: packed as the reader asks, the same text each time', async () => {
  const unpack = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync }
  const plain = await fixture.read(PAGE)
  for (const [encoding, open] of Object.entries(unpack)) {
    const packed = await fixture.read(PAGE, { headers: { 'Accept-Encoding': encoding } })
    assert.equal(packed.headers['content-encoding'], encoding)
    assert.ok(packed.body.length < 15_000, `${encoding}: ${packed.body.length} bytes`)
    assert.equal(open(packed.body).toString().length, plain.text.length)
  }
})

test('page 404: unknown, unpublished and malformed slugs differ in nothing', async () => {
  const { pageUuid } = await fixture.world.seedPage({
    slug: 'not-yet',
    name: 'Not yet',
    settings: { published: false },
    sections: [],
  })
  const unknown = await fixture.read('/status/nobody')
  assert.equal(unknown.status, 404)
  assert.match(unknown.text, /Page not found/)
  for (const path of ['/status/not-yet', '/status/UPPER', '/status/a%2Fb', '/status/-x', '/status'])
    assert.deepEqual(withoutId(await fixture.read(path)), withoutId(unknown), path)
  for (const path of ['/incidents/x', '/nothing', '//', `/incidents/sin_${'0'.repeat(26)}`])
    assert.equal((await fixture.read(`${PAGE}${path}`)).status, 404, path)

  await fixture.db.run('update status_pages set published = true where id = $1', [pageUuid])
  const publishedMs = await until(
    () => fixture.read('/status/not-yet'),
    ({ status }) => status === 200,
  )
  await fixture.db.run('update status_pages set published = false where id = $1', [pageUuid])
  const hiddenMs = await until(
    () => fixture.read('/status/not-yet'),
    ({ status }) => status === 404,
  )
  assert.ok(publishedMs < 2000 && hiddenMs < 2000, `${publishedMs} and ${hiddenMs} ms`)
})

test('page 405: it is only read', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const { status, headers } = await fixture.read(PAGE, { method })
    assert.equal(status, 405, method)
    assert.equal(headers['allow'], 'GET, HEAD')
  }
})

test('page 308: a slash at the end is taken away', async () => {
  const { status, headers } = await fixture.read(`${PAGE}/`)
  assert.equal(status, 308)
  assert.equal(headers['location'], PAGE)
})

type Summary = {
  page: Record<string, string>
  status: { indicator: string; description: string }
  components: { id: string; name: string; status: string; group_id: string | null }[]
  incidents: { id: string; name: string; incident_updates: { body: string }[] }[]
  scheduled_maintenances: { id: string; name: string; status: string; scheduled_for: string }[]
}
const WORDS: Record<string, string> = {
  operational: 'Operational',
  degraded_performance: 'Degraded',
  major_outage: 'Major outage',
}

test('status.json, badges and page say the same', async () => {
  const { text } = await fixture.read(PAGE)
  const answer = await fixture.read(`${PAGE}/status.json`)
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(answer.headers['access-control-allow-origin'], '*')
  const summary = JSON.parse(answer.text) as Summary
  assert.equal(summary.page['id'], acme.pageId)
  assert.equal(summary.page['url'], `${fixture.service.baseUrl}${PAGE}`)
  assert.equal(summary.page['time_zone'], 'Europe/Berlin')
  assert.equal(summary.status.indicator, 'minor')
  assert.equal(summary.components.length, 20)
  for (const { id, name, status, group_id: group } of summary.components) {
    assert.equal(id, acme.components.get(name)?.id)
    assert.match(String(group), /^sec_/)
    const word = WORDS[status] ?? status
    const row = text.split('<div class="comp">').find((part) => part.includes(`<bdi>${name}</bdi>`))
    assert.match(textOf(row ?? ''), new RegExp(` ${word} `), name)
    const badge = await fixture.read(`${PAGE}/badge/${id}.svg`)
    assert.doesNotMatch(badge.text, /lengthAdjust/, 'letters are not stretched')
    assert.equal(badge.headers['content-type'], 'image/svg+xml')
    assert.match(badge.text, new RegExp(`<title>[^<]*: ${word}</title>`))
  }
  assert.match((await fixture.read(`${PAGE}/badge.svg`)).text, /<title>Acme: Degraded<\/title>/)
  assert.deepEqual(
    summary.incidents.map(({ id, name }) => [id, name]),
    [[acme.incidents[0], 'API responses are slow']],
  )
  assert.equal(summary.incidents[0]?.incident_updates.length, 3)
  assert.deepEqual(
    summary.scheduled_maintenances.map(({ id, status }) => [id, status]),
    [[acme.windows[0], 'scheduled']],
  )
})

const RFC_822 = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

test('feed.rss: RSS 2.0 with everything a reader needs', async () => {
  const { headers, text } = await fixture.read(`${PAGE}/feed.rss`)
  assert.equal(headers['content-type'], 'application/rss+xml; charset=utf-8')
  const rss = parseXml(text)
  assert.equal(rss.name, 'rss')
  assert.equal(rss.attributes['version'], '2.0')
  const [channel] = all(rss, 'channel')
  assert.ok(channel)
  assert.equal(one(channel, 'title'), 'Acme status')
  assert.equal(one(channel, 'link'), `${fixture.service.baseUrl}${PAGE}`)
  assert.notEqual(one(channel, 'description'), '')
  assert.match(one(channel, 'lastBuildDate'), RFC_822)
  const items = all(channel, 'item')
  assert.equal(items.length, 8)
  for (const item of items) {
    assert.match(one(item, 'guid'), /^urn:upvane:(?:sin|mw)_/)
    assert.equal(all(item, 'guid')[0]?.attributes['isPermaLink'], 'false')
    assert.match(one(item, 'pubDate'), RFC_822)
    assert.equal((await fixture.read(new URL(one(item, 'link')).pathname)).status, 200)
  }
  assert.equal(new Set(items.map((item) => one(item, 'guid'))).size, 8)
  const slow = items.find((item) => one(item, 'title') === 'Monitoring: API responses are slow')
  assert.ok(slow)
  assert.match(one(slow, 'description'), /<strong>What you can do:<\/strong>/)
})

test('feed.atom: Atom with everything a reader needs, ids that stay and times that change', async () => {
  const ask = async () => parseXml((await fixture.read(`${PAGE}/feed.atom`)).text)
  const feed = await ask()
  assert.equal(feed.name, 'feed')
  assert.equal(feed.attributes['xmlns'], 'http://www.w3.org/2005/Atom')
  assert.equal(one(feed, 'id'), `urn:upvane:${acme.pageId}`)
  assert.match(one(feed, 'updated'), RFC_3339)
  assert.equal(one(all(feed, 'author')[0] ?? feed, 'name'), 'Acme')
  assert.deepEqual(
    all(feed, 'link').map(({ attributes }) => attributes['rel']),
    ['self', 'alternate'],
  )
  const ids = all(feed, 'entry').map((entry) => one(entry, 'id'))
  assert.equal(new Set(ids).size, 8)
  for (const entry of all(feed, 'entry')) {
    assert.notEqual(one(entry, 'title'), '')
    assert.match(one(entry, 'updated'), RFC_3339)
    assert.match(one(entry, 'published'), RFC_3339)
    assert.equal(all(entry, 'content')[0]?.attributes['type'], 'html')
    assert.equal(all(entry, 'link').length, 1)
  }
  const id = ids.find((each) => each.endsWith(acme.incidents[1] ?? ''))
  const updatedOf = (root: typeof feed) =>
    one(all(root, 'entry').find((entry) => one(entry, 'id') === id) ?? root, 'updated')
  const before = updatedOf(feed)
  await fixture.db.run(
    `update status_incidents set title = 'API was unreachable', updated_at = now() where title = 'API unreachable'`,
  )
  await until(
    () => fixture.read(`${PAGE}/feed.atom`),
    ({ text }) => text.includes('API was unreachable'),
  )
  const later = await ask()
  assert.deepEqual(new Set(all(later, 'entry').map((entry) => one(entry, 'id'))), new Set(ids))
  assert.ok(updatedOf(later) > before)
})

test('embed: may be framed; nothing else may', async () => {
  const { status, headers, text } = await fixture.read(`${PAGE}/embed`)
  assert.equal(status, 200)
  assert.match(String(headers['content-security-policy']), /frame-ancestors \*$/)
  assert.equal(headers['x-frame-options'], undefined)
  assert.match(textOf(text), /Acme API responses are slow/)
  for (const path of ['', '/history', `/incidents/${acme.incidents[0]}`])
    assert.equal((await fixture.read(`${PAGE}${path}`)).headers['x-frame-options'], 'DENY', path)
})

test('embed: has the theme of the site around it', async () => {
  const rows: [query: string, attributes: string][] = [
    ['', ''],
    ['?theme=light', ' data-theme="light"'],
    ['?theme=dark', ' data-theme="dark"'],
    ['?theme="><script>', ''],
  ]
  for (const [query, attributes] of rows) {
    const { status, text } = await fixture.read(`${PAGE}/embed${encodeURI(query)}`)
    assert.equal(status, 200, query)
    assert.ok(text.includes(`<html lang="en"${attributes}>`), `${query} ${text.slice(0, 80)}`)
  }
})

test('incident: its address lives on when 300 newer ones have pushed it off every list', async () => {
  const seeded = await fixture.world.seedPage({ slug: 'busy', name: 'Busy', sections: [] })
  const oldest = await fixture.world.seedIncident(seeded, {
    title: 'The very first one',
    startedMinutesAgo: 900_000,
    minutes: 5,
    updates: [{ status: 'RESOLVED', message: 'Long ago.', minutesAgo: 899_990 }],
  })
  await fixture.db.run(
    `with made as (
       insert into status_incidents (id, org_id, title, status, impact, started_at, resolved_at)
       select new_uuid(), org_id, 'Later ' || n, 'RESOLVED', 'MINOR', now() - n * interval '1 hour',
              now() - n * interval '1 hour' from status_pages, generate_series(1, 301) n where slug = 'busy'
       returning org_id, id)
     insert into status_incident_pages (org_id, status_incident_id, page_id, position)
     select made.org_id, made.id, $1, 0 from made`,
    [seeded.pageUuid],
  )
  const history = await fixture.read('/status/busy/history')
  assert.equal(history.text.match(/<article/g)?.length, 300)
  assert.ok(!history.text.includes('The very first one'))
  const found = await fixture.read(`/status/busy/incidents/${oldest}`)
  assert.equal(found.status, 200)
  assert.match(textOf(found.text), /The very first one .* Long ago\./)
  assert.equal((await fixture.read(`${PAGE}/incidents/${oldest}`)).status, 404, 'on another page')
})

test('page: speaks five languages, in its zone, with indexing as it is set', async () => {
  const headlines: Record<string, string> = {
    de: 'Alle Systeme sind betriebsbereit',
    fr: 'Tous les systèmes sont opérationnels',
    es: 'Todos los sistemas operativos',
    ja: 'すべてのシステムが正常に稼働しています',
  }
  for (const [locale, headline] of Object.entries(headlines)) {
    await fixture.world.seedPage({
      slug: `lang-${locale}`,
      name: 'Acme',
      settings: { locale, timezone: 'Asia/Tokyo', allow_indexing: false },
      sections: [{ name: null, components: [{ name: 'API' }] }],
    })
    const { text, headers } = await fixture.read(`/status/lang-${locale}`)
    assert.ok(text.includes(`<html lang="${locale}" data-zone="Asia/Tokyo">`))
    assert.ok(text.includes(headline), headline)
    assert.match(text, /\d\d:\d\d:\d\d JST/)
    assert.equal(headers['x-robots-tag'], 'noindex')
    assert.match(text, /<meta name="robots" content="noindex">/)
  }
})

test('page: uptime is shown once half of its days was measured', async () => {
  const slug = 'measured'
  await fixture.world.seedPage({
    slug,
    name: 'Measured',
    settings: { show_uptime: true },
    sections: [
      {
        name: null,
        components: [
          { name: 'New', sinceDays: 10 },
          { name: 'Old', sinceDays: 60 },
        ],
      },
    ],
  })
  const words = textOf((await fixture.read(`/status/${slug}`)).text).replaceAll('\u00a0', ' ')
  assert.equal(words.match(/\d% uptime/g)?.length, 1)
})

test('page: figures are shown as its owner wants', async () => {
  const component = {
    name: 'API',
    disruptions: [{ daysAgo: 2, minutes: 144, state: 'DOWN' as const }],
  }
  const shown = [
    { show_uptime: true, show_response_time: true, figures: /182 ms · 99\.\d\d% uptime/ },
    { show_uptime: true, show_response_time: false, figures: / 99\.\d\d% uptime/ },
    { show_uptime: false, show_response_time: true, figures: / 182 ms / },
  ]
  for (const [index, { figures, ...settings }] of shown.entries()) {
    const slug = `figures-${index}`
    // A page is read once and then cached: everything must exist before it is requested.
    const { components } = await fixture.world.seedPage({
      slug,
      name: 'Figures',
      settings,
      sections: [{ name: null, components: [component] }],
    })
    await fixture.db.run(
      `insert into result_hours (monitor_no, hour, ok, failed, inconclusive, p50_ms)
       select $1, date_trunc('hour', now()) - n * interval '1 hour', 60, 0, 0, 180 + n
         from generate_series(1, 3) n`,
      [components.get('API')?.monitorNo],
    )
    const words = textOf((await fixture.read(`/status/${slug}`)).text).replaceAll('\u00a0', ' ')
    assert.match(words, figures)
    assert.equal(/uptime/.test(words), settings.show_uptime)
    assert.equal(/182 ms/.test(words), settings.show_response_time)
  }
})

test('page: a new component has no uptime of a year, but says since when it is measured', async () => {
  const component = (name: string, sinceDays: number) => ({ name, sinceDays })
  await fixture.world.seedPage({
    slug: 'new-parts',
    name: 'New parts',
    sections: [{ name: null, components: [component('Old', 60), component('New', 1.5)] }],
  })
  const [, old = '', fresh = ''] = (await fixture.read('/status/new-parts')).text.split(
    '<div class="comp">',
  )
  assert.match(textOf(old), /Old 100% uptime/)
  assert.match(textOf(fresh), /New measured since \w{3} \d+ /)
  assert.match(fresh, /aria-label="New: measured since \w{3} \d+, 90 days/)
  assert.doesNotMatch(fresh, /uptime/)
})

test('page: what the API makes is what readers see', async () => {
  const monitor = await fixture.api.createMonitor({
    name: 'Internal name of the shop',
    type: 'HTTP',
    url: 'http://127.0.0.1:1/',
  })
  const made = await fixture.api.post('/status-pages', {
    name: 'Shop',
    slug: 'shop',
    sections: [{ name: 'All', components: [{ name: 'Shop front', monitorId: monitor.id }] }],
  })
  assert.equal(made.status, 201, made.text)
  const { url, id } = JSON.parse(made.text) as { url: string; id: string }
  assert.equal(url, `${fixture.service.baseUrl}/status/shop`)
  const incident = await fixture.api.post('/status-incidents', {
    title: 'Shop is closed',
    statusPageIds: [id],
    message: 'Back **soon**.',
  })
  assert.equal(incident.status, 201, incident.text)
  await until(
    () => fixture.read('/status/shop'),
    ({ text }) => text.includes('Shop is closed') && text.includes('<strong>soon</strong>'),
    2000,
  )
  const { text } = await fixture.read('/status/shop')
  assert.match(textOf(text), /Shop front/)
  assert.doesNotMatch(text, /Internal name/)
})
