// The documentation of a running service: every page can be reached, and every link in it leads somewhere.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { get } from 'node:http'
import { after, before, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'

const fixture = await startProduct()
after(() => fixture.stop())
const { baseUrl } = fixture.service

type Page = { html: string; headers: Headers; compressedBytes: number }

const START = '/docs'
const MAX_PAGES = 500
const LARGE = new Set(['/docs', '/docs/search'])
const pages = new Map<string, Page>()
const files = new Map<string, Response>()

const linksOf = ({ html }: Page) => [...html.matchAll(/ href="([^"]+)"/g)].map(([, to = '']) => to)
const idsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))

/** Follows every link below /docs, as a visitor could. */
before(async () => {
  const waiting = [START]
  for (const path of waiting) {
    if (pages.has(path) || files.has(path)) continue
    assert.ok(pages.size < MAX_PAGES, 'more pages than there are documents')
    const answer = await fetch(baseUrl + path, { redirect: 'manual' })
    assert.equal(answer.status, 200, path)
    if (!answer.headers.get('content-type')?.startsWith('text/html')) {
      files.set(path, answer)
      continue
    }
    const html = await answer.text()
    const compressedBytes = await sizeOf(path)
    const page = { html, headers: answer.headers, compressedBytes }
    pages.set(path, page)
    const inside = linksOf(page).map((to) => to.split('#')[0] ?? '')
    waiting.push(...inside.filter((to) => to.startsWith(START)))
  }
})

async function sizeOf(path: string): Promise<number> {
  const answer = await fetch(baseUrl + path, {
    method: 'HEAD',
    headers: { 'Accept-Encoding': 'br' },
  })
  assert.equal(answer.headers.get('content-encoding'), 'br', path)
  return Number(answer.headers.get('content-length'))
}

test('documentation: every page is reached from /docs, and links lead to pages and headings', () => {
  assert.ok(pages.size > 70, `only ${pages.size} pages`)
  for (const [path, page] of pages)
    for (const to of linksOf(page)) {
      if (/^(?:https:\/\/|mailto:|openapi)/.test(to)) continue
      const [target = '', id] = to.split('#')
      if (files.has(target)) continue
      const linked = pages.get(target === '' ? path : target)
      assert.ok(linked, `${path}: ${to}`)
      if (id !== undefined) assert.ok(idsOf(linked.html).has(id), `${path}: ${to}`)
    }
})

test('documentation: no script but that of the search, nothing from elsewhere, no frame around it', () => {
  for (const [path, { html, headers }] of pages) {
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; /, path)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/, path)
    for (const rule of ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"])
      assert.ok(policy.includes(rule), path)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    const [, script] = /<script type="module">([\s\S]*?)<\/script>/.exec(html) ?? []
    if (path !== '/docs/search') {
      assert.doesNotMatch(policy, /script-src/)
      assert.doesNotMatch(html, /<script|<[^>]+ (?:style|on\w+)=/, path)
      continue
    }
    const hash = createHash('sha256')
      .update(script ?? '')
      .digest('base64')
    assert.ok(policy.includes(`script-src 'sha256-${hash}'; require-trusted-types-for 'script'`))
  }
})

test('documentation: pictures are served as pictures that can run nothing', async () => {
  const sources = [...pages.values()].flatMap(({ html }) =>
    [...html.matchAll(/<img src="([^"]+)"/g)].map(([, source = '']) => source),
  )
  assert.ok(sources.length > 20)
  for (const source of new Set(sources)) {
    const answer = await fetch(baseUrl + source)
    assert.match(answer.headers.get('content-type') ?? '', /^image\/(?:png|svg\+xml)$/, source)
    assert.match(
      answer.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; .*sandbox/,
    )
    assert.equal(answer.headers.get('content-encoding'), null)
    await answer.bytes()
  }
})

test('documentation: small pages', () => {
  for (const [path, { compressedBytes }] of pages)
    assert.ok(compressedBytes <= (LARGE.has(path) ? 256 : 32) * 1024, `${path}: ${compressedBytes}`)
})

test('documentation: 304 for what a browser has, with a tag that a proxy made weak too', async () => {
  for (const path of [
    START,
    '/docs/alerts',
    '/docs/images/dashboard-monitors.png',
    '/openapi.json',
  ]) {
    const etag = (await fetch(baseUrl + path)).headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await fetch(baseUrl + path, { headers: { 'If-None-Match': known } })
      assert.equal(again.status, 304, `${path} ${known}`)
      assert.equal(await again.text(), '')
    }
    const other = await fetch(baseUrl + path, { headers: { 'If-None-Match': '"other"' } })
    assert.equal(other.status, 200)
    await other.bytes()
  }
})

test('documentation: llms.txt lists every page, documents as Markdown', async () => {
  const text = await (await fetch(`${baseUrl}/docs/llms.txt`)).text()
  const listed = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, url = '']) => new URL(url))
  const paths = new Set(listed.map(({ pathname }) => pathname.replace(/\.md$/, '')))
  for (const path of pages.keys())
    if (!['/docs/guides', '/docs/search'].includes(path)) assert.ok(paths.has(path), path)
  for (const { pathname } of listed) {
    const answer = await fetch(baseUrl + pathname)
    assert.equal(answer.status, 200, pathname)
    const type = pathname.endsWith('.md') ? 'text/markdown' : 'text/html'
    assert.ok(answer.headers.get('content-type')?.startsWith(type), pathname)
    await answer.bytes()
  }
})

test('documentation 404: no path leads to another file of the installation', async () => {
  const { port, hostname } = new URL(baseUrl)
  for (const path of [
    '/docs/../package.json',
    '/docs/..%2fpackage.json',
    '/docs/%2e%2e/package.json',
    '/docs//etc/passwd',
    '/docs/alerts/',
    '/docs/alerts.html',
    '/docs/reference',
    '/docs/images',
    '/docs/images/../alerts.md',
    '/docs/constructor',
    `/docs/${'a'.repeat(5_000)}`,
    '/docs/\\..\\package.json',
  ]) {
    const status = await new Promise((resolve, reject) => {
      const asked = get({ hostname, port, path }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      asked.on('error', reject)
    })
    assert.equal(status, 404, path)
  }
})
