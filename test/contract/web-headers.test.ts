// Security headers for browsers, and where to report a vulnerability.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'

const fixture = await startProduct()
after(() => fixture.stop())
const CONTACTS = 'mailto:security@example.com,https://example.com/report'
const { baseUrl: secure } = await fixture.stack.start('api', {
  env: { BASE_URL: 'https://upvane.example.com', SECURITY_CONTACT: CONTACTS },
})
const plain = fixture.service.baseUrl
const PATHS = [
  '/',
  '/docs',
  '/openapi.json',
  '/api/v1/monitors',
  '/hb/none',
  '/status/none',
  '/nothing',
]
const HSTS = 'strict-transport-security'

describe('Strict-Transport-Security', () => {
  for (const path of PATHS)
    test(`${path}: with an https BASE_URL, and only then`, async () => {
      const answer = await fetch(secure + path, { redirect: 'manual' })
      assert.equal(answer.headers.get(HSTS), 'max-age=31536000')
      assert.equal((await fetch(plain + path, { redirect: 'manual' })).headers.get(HSTS), null)
    })

  test('on a custom domain too, and for what is not HTTP', async () => {
    const domain = `hsts-${Date.now()}.example.com`
    const { json } = await fixture.api.post('/status-pages', { name: 'Own', customDomain: domain })
    const { slug } = json as { slug: string }
    await fixture.db.run(
      `update status_pages set custom_domain_status = 'ACTIVE' where custom_domain = $1`,
      [domain],
    )
    const onDomain = await readRaw(
      secure,
      `GET / HTTP/1.1\r\nHost: ${domain}\r\nConnection: close\r\n\r\n`,
    )
    assert.match(onDomain, /^HTTP\/1\.1 200 /, slug)
    assert.match(onDomain, /\r\nstrict-transport-security: max-age=31536000\r\n/i)
    const broken = await readRaw(secure, 'nonsense\r\n\r\n')
    assert.match(broken, /^HTTP\/1\.1 400 [\s\S]*strict-transport-security: max-age=31536000\r\n/i)
  })
})

test('/docs: no script, only its own style and font, and no frame around it', async () => {
  const { policy, style } = await readDocument('/docs')
  assert.ok(policy.includes("; font-src 'self';"), policy)
  const [, fontPath = ''] = /url\(([^)]*)\)/.exec(style) ?? []
  const font = await fetch(new URL(fontPath, plain))
  assert.deepEqual([font.status, font.headers.get('content-type')], [200, 'font/woff2'])
  assert.equal(Buffer.from(await font.arrayBuffer()).toString('latin1', 0, 4), 'wOF2')
})

test("the operator's guide: no script, only its own style, and no frame around it", async () => {
  await readDocument('/docs/operating/troubleshooting')
  assert.equal((await fetch(`${plain}/docs/operating/none`)).status, 404)
})

async function readDocument(path: string): Promise<{ policy: string; style: string }> {
  const answer = await fetch(plain + path)
  assert.equal(answer.status, 200)
  const policy = answer.headers.get('content-security-policy') ?? ''
  const text = await answer.text()
  assert.match(policy, /^default-src 'none'; /)
  assert.doesNotMatch(policy, /script-src|unsafe-inline/)
  for (const rule of ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"])
    assert.ok(policy.includes(rule), policy)
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? []
  assert.notEqual(style, '')
  const hash = createHash('sha256').update(style).digest('base64')
  assert.ok(policy.includes(`style-src 'sha256-${hash}'`), policy)
  assert.doesNotMatch(text, /<script|\sstyle=|\son\w+=/)
  assert.equal(answer.headers.get('x-frame-options'), 'DENY')
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
  return { policy, style }
}

test('/hb: nosniff, whether there is such an address or not', async () => {
  const { heartbeatUrl } = await fixture.api.createMonitor({
    name: 'Job',
    type: 'CRON',
    expectedPeriodSec: 300,
  })
  for (const url of [heartbeatUrl ?? '', `${plain}/hb/none`])
    assert.equal((await fetch(url)).headers.get('x-content-type-options'), 'nosniff', url)
})

describe('/.well-known/security.txt', () => {
  const PATH = '/.well-known/security.txt'

  test('as RFC 9116 wants it: contacts, an end within a year, its own address', async () => {
    const answer = await fetch(secure + PATH)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
    const lines = (await answer.text()).split('\n')
    assert.deepEqual(
      lines.filter((line) => line.startsWith('Contact: ')),
      ['Contact: mailto:security@example.com', 'Contact: https://example.com/report'],
    )
    assert.ok(lines.includes(`Canonical: https://upvane.example.com${PATH}`))
    const [expires = ''] = lines.filter((line) => line.startsWith('Expires: '))
    const days = (Date.parse(expires.slice('Expires: '.length)) - Date.now()) / 86_400_000
    assert.ok(days > 30 && days < 365, expires)
    assert.equal(lines.at(-1), '')
  })

  test('405 for other methods, 404 where no contact is configured', async () => {
    const posted = await fetch(secure + PATH, { method: 'POST' })
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET'])
    const missing = await fetch(plain + PATH)
    assert.equal(missing.status, 404)
    assert.equal(((await missing.json()) as { error: { code: string } }).error.code, 'not_found')
  })
})

async function readRaw(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}
