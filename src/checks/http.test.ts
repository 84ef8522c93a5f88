import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, beforeEach, test } from 'node:test'
import { httpTarget, openAttemptFixture } from '../../test/kit/targets/attempt-fixture.ts'
import { listen } from '../../test/kit/targets/listen.ts'
import type { HttpTarget } from './http.ts'

type ReceivedRequest = {
  method: string
  path: string
  headers: NodeJS.Dict<string | string[]>
  body: string
}

let received: ReceivedRequest[] = []
beforeEach(() => {
  received = []
})

/** Redirects `/301/…` to the rest of the path, and `/out/307/…` to the other origin. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request) body += chunk
  const { method = '', url: path = '', headers } = request
  received.push({ method, path, headers, body })
  const [, out, status, rest] = /^(\/out)?\/(\d{3})(.*)$/.exec(path) ?? []
  if (status === undefined) return void response.end('done')
  const origin = out === undefined ? '' : other
  response.writeHead(Number(status), { Location: `${origin}${rest || '/'}` }).end()
}

const here = await listen(createServer(serve))
const there = await listen(createServer(serve))
const site = `http://127.0.0.1:${here.port}`
const other = `http://127.0.0.2:${there.port}`.replace('127.0.0.2', 'localhost')
const fixture = await openAttemptFixture({
  dns: ({ name, type }) =>
    name.endsWith('.test') && type === 'A'
      ? { answers: [{ type, name, data: '127.0.0.1' }] }
      : undefined,
})
after(() => Promise.all([here.close(), there.close(), fixture.close()]))

const requestHeaders = {
  Authorization: 'Bearer x',
  Cookie: 'a=b',
  'X-Own': '1',
  'Content-Type': 'text/plain',
  'accept-language': 'de',
}
const secret = ['authorization', 'cookie', 'x-own']

// biome-ignore format: a table is read by its columns
const redirects: [method: HttpTarget['method'], path: string, finalMethod: string, finalBody: string, kept: boolean][] = [
  ['POST',   '/301/end',     'GET',    '',     true],
  ['POST',   '/302/end',     'GET',    '',     true],
  ['PUT',    '/303/end',     'GET',    '',     true],
  ['DELETE', '/307/end',     'DELETE', 'data', true],
  ['PATCH',  '/308/end',     'PATCH',  'data', true],
  ['HEAD',   '/303/end',     'HEAD',   '',     true],
  ['GET',    '/302/end',     'GET',    '',     true],
  ['POST',   '/out/307/end', 'POST',   'data', false],
  ['GET',    '/out/302/end', 'GET',    '',     false],
]
for (const [method, path, finalMethod, finalBody, kept] of redirects) {
  test(`${method} ${path} ends as ${finalMethod}, credentials ${kept ? 'kept' : 'dropped'}`, async () => {
    const target = httpTarget(site + path, { method, requestHeaders, requestBody: 'data' })
    const attempt = await fixture.attempt(target)
    assert.equal(attempt.outcome, 'OK', JSON.stringify(attempt))
    const last = received.at(-1)
    assert.ok(last !== undefined && received.length === 2)
    assert.deepEqual([last.method, last.path, last.body], [finalMethod, '/end', finalBody])
    assert.deepEqual(
      secret.map((name) => last.headers[name] !== undefined),
      secret.map(() => kept),
    )
    assert.deepEqual(
      [last.headers['accept-language'], last.headers['user-agent']],
      ['de', 'Upvane/test'],
    )
    assert.equal(
      last.headers['content-type'],
      (kept && finalBody !== '') || (kept && method === finalMethod) ? 'text/plain' : undefined,
    )
  })
}

test('10 redirects are followed, the 11th is one too many', async () => {
  assert.equal((await fixture.attempt(httpTarget(`${site}${'/302'.repeat(10)}/end`))).outcome, 'OK')
  const attempt = await fixture.attempt(httpTarget(`${site}${'/302'.repeat(11)}/end`))
  assert.ok(attempt.outcome === 'FAILED' && attempt.causeCode === 'TOO_MANY_REDIRECTS')
})

test('followRedirects false: the first status counts', async () => {
  const target = httpTarget(`${site}/302/end`, { followRedirects: false })
  assert.equal((await fixture.attempt(target)).outcome, 'OK')
  const strict = await fixture.attempt({ ...target, expectedStatus: [200] })
  assert.ok(strict.outcome === 'FAILED' && strict.httpStatus === 302)
  assert.equal(strict.cause, 'HTTP 302, expected 200')
  assert.equal(received.length, 2)
})

test('a body is sent only by POST, PUT, PATCH and DELETE', async () => {
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)
    await fixture.attempt(httpTarget(site, { method, requestBody: 'dätä' }))
  const bodies = ['', '', 'dätä', 'dätä', 'dätä', 'dätä']
  assert.deepEqual(
    received.map(({ body }) => body),
    bodies,
  )
  assert.deepEqual(
    received.map(({ headers }) => headers['content-length']),
    [undefined, undefined, '6', '6', '6', '6'],
  )
  assert.ok(received.every(({ headers }) => headers['transfer-encoding'] === undefined))
})

test('a POST without a body says so', async () => {
  await fixture.attempt(httpTarget(site, { method: 'POST' }))
  assert.equal(received[0]?.headers['content-length'], '0')
})

test('Host and User-Agent are the owner’s if given; text goes out as UTF-8', async () => {
  const own = { host: 'shop.example', 'user-agent': 'Mine', 'X-Name': 'Zoë 日本' }
  assert.equal((await fixture.attempt(httpTarget(site, { requestHeaders: own }))).outcome, 'OK')
  const headers = received[0]?.headers ?? {}
  assert.deepEqual([headers['host'], headers['user-agent']], ['shop.example', 'Mine'])
  assert.equal(Buffer.from(String(headers['x-name']), 'latin1').toString(), 'Zoë 日本')
})

test('IPv6 literals work, brackets and all', async () => {
  const six = await listen(createServer(serve), '::1')
  assert.equal((await fixture.attempt(httpTarget(`http://[::1]:${six.port}/`))).outcome, 'OK')
  assert.equal(received[0]?.headers['host'], `[::1]:${six.port}`)
  await six.close()
})

test('a dead IPv6 address beside a good IPv4 one is up', async () => {
  const attempt = await fixture.attempt(httpTarget(`http://localhost:${here.port}/`))
  assert.ok(attempt.outcome === 'OK' && attempt.resolvedIp === '127.0.0.1')
})

test('sent tells whether bytes have left', async () => {
  const refused = await fixture.attempt(httpTarget('http://127.0.0.1:1', { method: 'POST' }))
  assert.equal(refused.sent, false)
  const answered = await fixture.attempt(httpTarget(`${site}/500`, { method: 'POST' }))
  assert.equal(answered.sent, true)
})

test('a private target’s body is no evidence', async () => {
  const attempt = await fixture.attempt(httpTarget(site, { expectedStatus: [404] }))
  assert.ok(attempt.outcome === 'FAILED' && attempt.bodyExcerpt === undefined)
})
