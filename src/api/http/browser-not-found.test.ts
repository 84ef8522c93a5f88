import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { prefersHtml } from './browser-not-found.ts'
import { createApiServer } from './server.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

const accepts: [accept: string, expected: boolean][] = [
  [BROWSER, true],
  ['text/html', true],
  ['application/json;q=0.9, text/html', true],
  ['*/*', false],
  ['', false],
  ['application/json', false],
  ['application/json, text/html;q=0.5', false],
  ['text/html;q=0', false],
  ['text/html;q=x', false],
]
for (const [accept, expected] of accepts)
  test(`Accept "${accept}": ${expected ? 'a page' : 'the envelope'}`, () =>
    assert.equal(prefersHtml(accept), expected))

const server = createApiServer([], { rateLimitRequests: 100 })
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => server.close())

async function ask(path: string, accept: string, method = 'GET') {
  const { port } = server.address() as AddressInfo
  const asked = request({ port, method, path, agent: false, headers: { accept } }).end()
  const [response] = await once(asked, 'response')
  const chunks: Buffer[] = await response.toArray()
  const { statusCode: status, headers } = response
  return { status, headers, text: Buffer.concat(chunks).toString() }
}

test('an unknown address 404: a page for a browser, under a strict policy, and nothing of the address in it', async () => {
  const { status, headers, text } = await ask('/no<b>thing', BROWSER)
  assert.equal(status, 404)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(headers['vary'], 'Accept')
  assert.match(text, /<h1>Page not found<\/h1>/)
  assert.doesNotMatch(text, /no<b>thing/)
  assert.match(String(headers['x-request-id']), /^req_/)
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(text) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  assert.ok(String(headers['content-security-policy']).includes(hash), 'its own style')
  assert.equal((await ask('/nothing', BROWSER, 'HEAD')).text, '')
})

for (const [path, accept, method] of [
  ['/nothing', '*/*', 'GET'],
  ['/favicon.ico', '*/*', 'GET'],
  ['/docs/', '*/*', 'GET'],
  ['/api', BROWSER, 'GET'],
  ['/api/v1/nothing', BROWSER, 'GET'],
  ['/app/api/nothing', BROWSER, 'GET'],
  ['/nothing', BROWSER, 'POST'],
] as const)
  test(`${method} ${path} 404 for ${accept}: the envelope`, async () => {
    const { status, text } = await ask(path, accept, method)
    assert.equal(status, 404)
    assert.equal(JSON.parse(text).error.code, 'not_found')
  })

for (const [path, location] of [
  ['/docs/', '/docs'],
  ['/login', '/sign-in'],
  ['/signup', '/sign-in'],
  ['/dashboard', '/monitors'],
])
  test(`${path} 302 in a browser: ${location}`, async () => {
    const { status, headers } = await ask(path ?? '', BROWSER)
    assert.deepEqual([status, headers['location']], [302, location])
  })

test('/favicon.ico 302 for a browser, which asks for images: the icon of the dashboard', async () => {
  const { status, headers } = await ask('/favicon.ico', 'image/avif,image/webp,*/*;q=0.8')
  assert.deepEqual([status, headers['location']], [302, '/favicon.svg'])
})

test('/robots.txt 200: crawlers may read status pages and the reference', async () => {
  const { status, headers, text } = await ask('/robots.txt', '*/*')
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8'])
  assert.equal(text, 'User-agent: *\nAllow: /status/\nAllow: /docs\nDisallow: /\n')
})
