// Operations that need no key: failures have the same envelope and headers as the API's.
import assert from 'node:assert/strict'
import { METHODS, request } from 'node:http'
import { after, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { assertRateHeaders, assertResponse, assertUntouched } from '../kit/assert-response.ts'
import { startProduct } from '../kit/fixture.ts'
import { ApiResponse } from '../kit/response.ts'

const fixture = await startProduct()
const { api, service } = fixture
after(() => fixture.stop())
const cron = await api.createMonitor()
const heartbeat = new URL(String(cron.heartbeatUrl)).pathname

type Read = { answer: ApiResponse; bytes: Buffer }

function read(method: string, path: string, headers: Record<string, string> = {}): Promise<Read> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.baseUrl)
    const asked = request({ hostname, port, path, method, headers }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const answer = new ApiResponse(reply.statusCode ?? 0, reply.rawHeaders, bytes.toString())
        resolve({ answer, bytes })
      })
    })
    asked.on('error', reject)
    asked.end()
  })
}

/** A refusal with everything that every refusal contains. */
async function refused(method: string, path: string): Promise<ApiResponse> {
  const { answer } = await read(method, path)
  assertResponse(answer, { method, path, rateLimit: api.rateLimit })
  assertUntouched(answer, api.rateLimit)
  return answer
}

const others = (allowed: string[]) =>
  METHODS.filter((method) => !['CONNECT', 'HEAD', ...allowed].includes(method))

describe('keyless surfaces', { concurrency: 8 }, () => {
  const rows: [path: string, allow: string][] = [
    ['/openapi.json', 'GET'],
    ['/openapi-ext.json', 'GET'],
    ['/docs', 'GET'],
    ['/docs/inter-latin.woff2', 'GET'],
    ['/docs/operating/health', 'GET'],
    [heartbeat, 'GET, HEAD, POST'],
    [`${heartbeat}/fail`, 'GET, HEAD, POST'],
    ['/hb/unknown', 'GET, HEAD, POST'],
    ['/', 'GET, HEAD'],
    ['/monitors', 'GET, HEAD'],
  ]
  for (const [path, allow] of rows)
    test(`${path.slice(0, 14)} 405: every method but ${allow}, with the envelope and Allow`, async () => {
      for (const method of others(allow.split(', '))) {
        const answer = await refused(method, path)
        assert.deepEqual(
          [answer.code, answer.headers['allow']],
          ['method_not_allowed', allow],
          method,
        )
      }
    })

  // biome-ignore format: many short values read better side by side
  const unknown = [
    '/openapi.json/', '/openapi.json/x', '/docs/', '/docs/x', '/hb', '/hb/', '/hb/short', `/hb/${'A'.repeat(22)}`,
    `${heartbeat}/nope`, `${heartbeat}/256`, '/assets/none.js', '/assets/', '/favicon.svg/', '/unknown', '/api', '/statusx',
  ]
  for (const path of unknown)
    test(`${path} 404: the envelope`, async () => {
      assert.equal((await refused('GET', path)).code, 'not_found')
      assert.equal((await refused('HEAD', path)).status, 404)
    })

  test('/hb 200: it has a request id too', async () => {
    const { answer } = await read('GET', heartbeat)
    assert.equal(answer.text, '{"ok":true}')
    assert.match(answer.requestId, /^req_/)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
  })
})

function open(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(bytes)
  return encoding === 'br' ? brotliDecompressSync(bytes) : bytes
}

describe('GET /openapi.json', { concurrency: 8 }, () => {
  test('200: with the rate headers of an untouched window and a request id', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { answer } = await read(method, '/openapi.json', { 'X-API-Key': 'nonsense' })
      assert.equal(answer.status, 200)
      assertRateHeaders(answer.headers, api.rateLimit)
      assertUntouched(answer, api.rateLimit)
      assert.match(answer.requestId, /^req_/)
      assert.equal(answer.headers['vary'], 'Accept-Encoding')
      assert.equal(answer.text === '', method === 'HEAD')
    }
  })

  const rows: [accepted: string, encoding: string | undefined][] = [
    ['gzip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip;q=0.000, identity', undefined],
    ['deflate', undefined],
    ['xgzip', undefined],
    ['', undefined],
  ]
  for (const [accepted, encoding] of rows)
    test(`200: Accept-Encoding "${accepted}" -> ${encoding ?? 'as it is'}`, async () => {
      const plain = await read('GET', '/openapi.json')
      const { answer, bytes } = await read('GET', '/openapi.json', { 'Accept-Encoding': accepted })
      assert.equal(answer.headers['content-encoding'], encoding)
      assert.equal(answer.headers['content-length'], String(bytes.length))
      const opened = open(bytes, encoding)
      assert.deepEqual(opened, plain.bytes)
      if (encoding !== undefined) assert.ok(bytes.length < plain.bytes.length / 5)
    })
})
