// Which Host serves what: every name serves everything, except an active custom domain of a status page, which serves
// only pages.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { type OutgoingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { assertResponse } from '../kit/assert-response.ts'
import { startProduct } from '../kit/fixture.ts'
import { toUuid } from '../kit/ids.ts'
import { sendRaw } from '../kit/raw-http.ts'
import { ApiResponse } from '../kit/response.ts'

const fixture = await startProduct()
const { api, db, keys, service } = fixture
after(() => fixture.stop())
const cron = await api.createMonitor()

// biome-ignore format: many short values read better side by side
const HOSTS = [
  'host.docker.internal:8080', 'host.docker.internal', 'upvane.example.com', 'UPVANE.Example.COM.:443', 'upvane',
  'localhost:3000', '192.0.2.7', '192.0.2.7:80', '[2001:db8::1]', '[::1]:8080', '127.0.0.1.nip.io', 'x_y.example',
  'a..b', '.', ':80', 'bad host', '*.example.com', `${'a'.repeat(300)}.example`, '%00.example', 'xn--bcher-kva.example',
]

const read = (
  path: string,
  host: string,
  headers: OutgoingHttpHeaders = {},
): Promise<ApiResponse> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.baseUrl)
    const asked = request(
      { hostname, port, path, headers: { Host: host, ...headers } },
      (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve(new ApiResponse(reply.statusCode ?? 0, reply.rawHeaders, text))
        })
      },
    )
    asked.on('error', reject)
    asked.end()
  })
const withKey = { 'X-API-Key': keys.full }

for (const host of HOSTS)
  test(`Host ${host.slice(0, 40)}: the whole service answers`, async () => {
    assert.equal((await api.get('/monitors', { headers: { Host: host } })).status, 200)
    assert.equal((await api.get('/monitors', { key: null, headers: { Host: host } })).status, 401)
    const description = await read('/openapi.json', host)
    assert.equal(description.status, 200)
    assert.match(description.headers['content-type'] ?? '', /^application\/json/)
    const path = new URL(String(cron.heartbeatUrl)).pathname
    assert.equal((await read(path, host)).text, '{"ok":true}')
    assert.equal((await read('/docs', host)).status, 200)
    assert.notEqual((await read('/', host)).status, 404, 'the dashboard')
    const unknown = await read('/nothing/here', host)
    assertResponse(unknown, { method: 'GET', path: '/nothing/here', rateLimit: api.rateLimit })
    assert.equal(unknown.code, 'not_found')
  })

test('a name that is not in the configuration: one log line that names it and BASE_URL', async () => {
  const lines = () =>
    globSync(join(fixture.stack.directory, 'service-*.log'))
      .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
      .filter((line) => line.includes('set BASE_URL') && line.includes('"upvane.example.com"'))
  for (let tries = 0; tries < 5; tries++) await read('/docs', 'upvane.example.com')
  // Log lines are buffered for up to half a second.
  for (let waited = 0; waited < 50 && lines().length === 0; waited++) await delay(100)
  await delay(600)
  assert.equal(lines().length, 1)
})

test('no Host at all: the whole service answers', async () => {
  for (const line of ['GET /api/v1/monitors HTTP/1.0', 'GET /api/v1/monitors HTTP/1.1']) {
    const pieces = [`${line}\r\nX-API-Key: ${keys.full}\r\n\r\n`]
    const { answers } = await sendRaw(api, { pieces, answers: 1 })
    assert.equal(answers[0]?.status, 200, line)
  }
})

/** Sets the domain as a DNS verification would, and waits until requests see it. */
async function activate(domain: string, status: string, fields: object = {}): Promise<void> {
  const { json } = await api.post('/status-pages', { name: domain, ...fields })
  const { id } = json as { id: string }
  await db.run(
    `update status_pages set custom_domain = $2, custom_domain_status = $3 where id = $1`,
    [toUuid(id), domain, status],
  )
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const startedMs = Date.now()
  while (!(await holds())) {
    assert.ok(Date.now() - startedMs < 3000, 'not within 3 s')
    await delay(50)
  }
}

const isApiServed = async (host: string) =>
  (await read('/api/v1/monitors', host, withKey)).status === 200

test('an active custom domain shows its page and nothing else, soon after it became active', async () => {
  const domain = 'status.active.test'
  assert.ok(await isApiServed(domain), 'before it is anybody’s')
  await activate(domain, 'ACTIVE')
  await until(async () => !(await isApiServed(domain)))
  const shown = await read('/', domain)
  assert.deepEqual([shown.status, shown.text.includes('status.active.test')], [200, true])
  for (const host of [
    domain,
    'STATUS.Active.test',
    `${domain}:8443`,
    `${domain}.`,
    `${domain}.:80`,
  ])
    for (const path of [
      '/api/v1/monitors',
      '/api/ext/v1/monitors',
      '/openapi.json',
      '/openapi-ext.json',
      '/docs',
      '/hb/x',
      '/app/api/me',
      '/nothing',
    ]) {
      const answer = await read(path, host, withKey)
      assert.equal(answer.status, 404, `${host}${path}`)
      assert.match(answer.headers['content-type'] ?? '', /^text\/html/, `${host}${path}`)
    }
  assert.ok(await isApiServed('other.active.test'), 'no other name is affected')

  await db.run(`update status_pages set custom_domain_status = 'FAILED' where custom_domain = $1`, [
    domain,
  ])
  await until(() => isApiServed(domain))
})

test('an active domain of a page that is not published shows nothing of the service either', async () => {
  await activate('hidden.test', 'ACTIVE', { published: false })
  await until(async () => !(await isApiServed('hidden.test')))
  for (const path of ['/', '/openapi.json']) {
    const answer = await read(path, 'hidden.test')
    assert.equal(answer.status, 404)
    assert.match(answer.headers['content-type'] ?? '', /^text\/html/)
  }
})

test('a claimed domain without its proof takes nothing away', async () => {
  const domains = ['PENDING', 'FAILED'].map((status) => ({
    status,
    domain: `${status.toLowerCase()}.claimed.test`,
  }))
  for (const { status, domain } of domains) await activate(domain, status)
  // Long enough that an active domain would have been noticed.
  await delay(1100)
  for (const { domain } of domains) assert.ok(await isApiServed(domain), domain)
})

test('thousands of made-up hosts are answered, and a domain is still found', async () => {
  await activate('found.test', 'ACTIVE')
  const ask = (i: number) =>
    api.get('/incidents', { key: null, headers: { Host: `made-up-${i}.test` } })
  for (let from = 0; from < 3000; from += 500) {
    const answers = await Promise.all(Array.from({ length: 500 }, (_, i) => ask(from + i)))
    assert.ok(answers.every(({ status }) => status === 401 || status === 429))
  }
  await until(async () => !(await isApiServed('found.test')))
})
