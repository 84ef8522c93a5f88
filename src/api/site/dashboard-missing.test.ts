import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createApiServer } from '../http/server.ts'
import { dashboardSurfaces } from './dashboard.ts'
import { missingDashboardSurfaces } from './dashboard-missing.ts'

const server = createApiServer(missingDashboardSurfaces(), { rateLimitRequests: 100 })
let port: number

before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
after(() => server.close())

type Answer = { status: number | undefined; headers: IncomingHttpHeaders; text: string }

async function ask(method: string, path: string): Promise<Answer> {
  const asked = request({ port, method, path, agent: false }).end()
  const [answer] = await once(asked, 'response')
  const chunks: Buffer[] = await answer.toArray()
  const { statusCode: status, headers } = answer
  return { status, headers, text: Buffer.concat(chunks).toString() }
}

test('a folder without a build gives no dashboard', () => {
  const empty = mkdtempSync(join(tmpdir(), 'upvane-no-dashboard-'))
  assert.equal(dashboardSurfaces(empty), undefined)
  rmdirSync(empty)
})

for (const path of ['/', '/setup', '/incidents/inc_1'])
  test(`${path} 503 without a dashboard: says how to build it, under a strict policy`, async () => {
    const { status, headers, text } = await ask('GET', path)
    assert.equal(status, 503)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(text, /<pre>npm run web<\/pre>/)
    assert.match(text, /href="\/docs"/)

    const policy = String(headers['content-security-policy'])
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[^ ']+'; base-uri 'none';/)
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(text) ?? []
    assert.ok(policy.includes(createHash('sha256').update(style).digest('base64')), 'its own style')
  })

test('without a dashboard: other methods are refused, other addresses are nobody’s', async () => {
  const posted = await ask('POST', '/')
  assert.equal(posted.status, 405)
  assert.equal(posted.headers.allow, 'GET, HEAD')
  const asked = await ask('HEAD', '/')
  assert.deepEqual([asked.status, asked.text], [503, ''])
  assert.equal((await ask('GET', '/nothing-here')).status, 404)
})
