// What a body may contain and how it may be sent.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startProduct } from '../kit/fixture.ts'
import { sendRaw } from '../kit/raw-http.ts'

const MAX_BYTES = 2 * 1024 * 1024
const fixture = await startProduct()
const { api, keys } = fixture
after(() => fixture.stop())

const cron = '{"name":"Body","type":"CRON"}'
const create = (rawBody: string | Buffer, headers: Record<string, string> = {}) =>
  api.request('POST', '/monitors', { rawBody, headers })

describe('content type', { concurrency: 8 }, () => {
  const good = [
    'application/json',
    'APPLICATION/JSON',
    'Application/Json; Charset=UTF-8',
    'application/json;charset=utf-8',
    'application/json; charset="utf-8"',
    'application/json ; charset=utf-8',
    'application/json; profile=x; charset=utf-8',
    'application/json;',
  ]
  for (const type of good)
    test(`createMonitor 201: Content-Type ${type}`, async () => {
      assert.equal((await create(cron, { 'Content-Type': type })).status, 201)
    })

  // biome-ignore format: many short values read better side by side
  const bad = [
    '', 'text/plain', 'text/json', 'application/x-www-form-urlencoded', 'multipart/form-data',
    'application/jsonp', 'application/json-patch+json', 'application/vnd.api+json', 'json',
    'application/json; charset=latin1', 'application/json; charset=utf-16', '*/*',
    'application/json, text/plain', 'application/json; charset="iso-8859-1"',
  ]
  for (const type of bad)
    test(`createMonitor 400: Content-Type ${type || '(empty)'}, path content-type`, async () => {
      const answer = await create(cron, { 'Content-Type': type })
      assert.deepEqual([answer.code, ...answer.paths], ['validation_error', 'content-type'])
    })

  test('400: no Content-Type on every operation that takes a body', async () => {
    const { id } = await api.createMonitor()
    const rows: [method: string, path: string, body: string][] = [
      ['POST', '/api/v1/monitors', cron],
      ['PATCH', `/api/v1/monitors/${id}`, '{}'],
      ['POST', `/api/v1/monitors/${id}/pause`, '{}'],
      ['POST', `/api/v1/monitors/${id}/resume`, '{}'],
      ['POST', '/api/v1/incidents/x/acknowledge', '{}'],
    ]
    for (const [method, path, body] of rows) {
      const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.full}\r\n`
      const pieces = [`${head}Content-Length: ${body.length}\r\n\r\n${body}`]
      const { answers } = await sendRaw(api, { pieces, answers: 1, methods: [method] })
      assert.deepEqual(answers[0]?.paths, ['content-type'], `${method} ${path}`)
    }
  })

  test('createMonitor 400: a body that is compressed, path content-encoding', async () => {
    for (const encoding of ['gzip', 'br', 'deflate', 'GZIP', 'gzip, identity', 'nonsense']) {
      const answer = await create(gzipSync(cron), { 'Content-Encoding': encoding })
      assert.deepEqual([answer.code, ...answer.paths], ['validation_error', 'content-encoding'])
    }
    assert.equal((await create(cron, { 'Content-Encoding': 'identity' })).status, 201)
    assert.equal((await create(cron, { 'Content-Encoding': 'Identity' })).status, 201)
  })

  test('GET 200: a body and its content type are ignored', async () => {
    const headers = { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }
    for (const chunked of [true, false]) {
      const answer = await api.request('GET', '/monitors', {
        rawBody: 'not json',
        headers,
        chunked,
      })
      assert.equal(answer.status, 200)
    }
  })
})

describe('JSON', { concurrency: 8 }, () => {
  // biome-ignore format: many short values read better side by side
  const notJson = [
    '{', '}', '{"name":"x",}', "{'name':'x'}", '{name:"x"}', 'name=x', '<xml/>', 'undefined',
    '{"a":1}{"b":2}', '{"a":NaN}', '{"a":Infinity}', '{"a":01}', '{"a":+1}', '{"a":.5}',
    '{"a":"\t"}', '{"a":"\\x41"}', '{"a":"\\u12"}', '// c\n{}', '{"a":tru}', ' ', '\n', '\0',
  ]
  for (const rawBody of notJson)
    test(`createMonitor 400: ${JSON.stringify(rawBody)} is not JSON, path body`, async () => {
      assert.deepEqual((await create(rawBody)).paths, ['body'])
    })

  for (const rawBody of ['[]', 'null', 'true', '0', '"text"', '[{"name":"x","type":"CRON"}]'])
    test(`createMonitor and updateMonitor 400: ${rawBody} is no object, path body`, async () => {
      assert.deepEqual((await create(rawBody)).paths, ['body'])
      assert.deepEqual((await api.request('PATCH', '/monitors/x', { rawBody })).paths, ['body'])
    })

  test('400: a body that is missing where one is needed, path body, whatever its type', async () => {
    const { id } = await api.createMonitor()
    const rows: [method: string, path: string][] = [
      ['POST', '/monitors'],
      ['PATCH', `/monitors/${id}`],
      ['POST', `/monitors/${id}/pause`],
      ['POST', `/monitors/${id}/resume`],
      ['POST', `/monitors/${id}/check`],
    ]
    for (const [method, path] of rows) {
      const asks = [
        {},
        { rawBody: '' },
        { rawBody: '', headers: { 'Content-Type': 'text/plain' } },
        { rawBody: '', headers: { 'Content-Encoding': 'gzip' } },
        { rawBody: '', chunked: true },
      ]
      for (const ask of asks) {
        const answer = await api.request(method, path, ask)
        assert.deepEqual([answer.code, ...answer.paths], ['validation_error', 'body'], path)
      }
    }
  })

  test('createMonitor 400: bytes that are no UTF-8, path body', async () => {
    const [head = '', tail = ''] = cron.split('Body')
    const broken = [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf5, 0x80, 0x80, 0x80]]
    for (const bytes of broken) {
      const body = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(tail)])
      assert.deepEqual((await create(body)).paths, ['body'])
    }
    assert.deepEqual((await create(Buffer.from(cron, 'utf16le'))).paths, ['body'])
  })

  test('createMonitor 201: white space around, escapes inside, the last of equal names', async () => {
    const answer = await create(
      ` \r\n\t{"name":"a","type":"CRON","n\\u0061me":"\\u00e9\\ud83d\\ude00"}\n`,
    )
    assert.equal(answer.monitor.name, 'é😀')
  })

  const deep = (open: string, close: string, depth: number) =>
    open.repeat(depth) + close.repeat(depth)
  const nested = (depth: number): [name: string, json: string, path: string][] => [
    ['an array in an array', `{"name":${deep('[', ']', depth)},"type":"CRON"}`, 'name'],
    [
      'a status',
      `{"name":"x","type":"CRON","expectedStatus":${deep('[', ']', depth)}}`,
      'expectedStatus.0',
    ],
    [
      'a header',
      `{"name":"x","type":"CRON","requestHeaders":{"a":${deep('{"a":', '}', depth).replace(':}', ':0}')}}}`,
      'requestHeaders.a',
    ],
  ]
  for (const [name, rawBody, path] of nested(30))
    test(`createMonitor 400: thirty levels below ${name}`, async () => {
      const answer = await create(rawBody)
      assert.deepEqual([answer.code, ...new Set(answer.paths)], ['validation_error', path])
    })
  const unknown = (depth: number) => `{"name":"x","type":"CRON","other":${deep('[', ']', depth)}}`
  const tooDeep = nested(200_000).concat([['an unknown property', unknown(200_000), 'body']])
  for (const [name, rawBody] of tooDeep)
    test(`createMonitor 400: hundreds of thousands of levels below ${name}, path body`, async () => {
      const answer = await create(rawBody)
      assert.deepEqual([answer.code, ...answer.paths], ['validation_error', 'body'])
    })

  test('createMonitor 201: thirty levels in an unknown property are ignored with it', async () => {
    assert.equal((await create(unknown(30))).status, 201)
  })

  test('createMonitor: a thousand unknown names are ignored, and hundreds of thousands are not read', async () => {
    const others = (count: number) => Array.from({ length: count }, (_, n) => `"${n}":1`).join()
    const body = (count: number) => `{"name":"x","type":"CRON",${others(count)}}`
    assert.equal((await create(body(450))).status, 201)
    const refused = await create(body(150_000))
    assert.deepEqual([refused.code, ...refused.paths], ['validation_error', 'body'])
  })

  const floods: [name: string, json: string][] = [
    ['items', `{"name":"x","type":"CRON","expectedStatus":[${'"",'.repeat(600_000)}0]}`],
    [
      'headers',
      `{"name":"x","type":"HTTP","url":"http://a.example","requestHeaders":{${Array.from({ length: 150_000 }, (_, i) => `"\\n${i}":0`).join()}}}`,
    ],
  ]
  for (const [name, rawBody] of floods)
    test(`createMonitor 400: hundreds of thousands of wrong ${name} are reported as fifty, and soon`, async () => {
      assert.ok(rawBody.length < MAX_BYTES)
      const startedAt = performance.now()
      const answer = await create(rawBody)
      assert.equal(answer.code, 'validation_error')
      assert.ok(answer.paths.length <= 50)
      assert.ok(performance.now() - startedAt < 5000, `${performance.now() - startedAt} ms`)
    })
})

describe('size', { concurrency: 2 }, () => {
  const sized = (bytes: number) => {
    const [head, tail] = ['{"name":"Large","type":"CRON","padding":"', '"}']
    return head + 'x'.repeat(bytes - head.length - tail.length) + tail
  }
  for (const chunked of [false, true]) {
    const how = chunked ? 'in chunks' : 'with a length'
    test(`createMonitor 201: a body of 1.2 MiB sent ${how}`, async () => {
      const rawBody = sized(0.6 * MAX_BYTES)
      assert.equal((await api.request('POST', '/monitors', { rawBody, chunked })).status, 201)
    })
    for (const extra of [1, 3 * MAX_BYTES])
      test(`createMonitor 400: ${extra} more than 2 MiB sent ${how}, path body`, async () => {
        const rawBody = sized(MAX_BYTES + extra)
        const answer = await api.request('POST', '/monitors', { rawBody, chunked })
        assert.deepEqual([answer.code, ...answer.paths], ['validation_error', 'body'])
        assert.equal((await api.get('/monitors?limit=1')).status, 200)
      })
  }

  test('createMonitor 201: the longest request body, with every character escaped', async () => {
    const escaped = String.raw`\ud83d\ude00`.repeat(100_000)
    const rawBody = `{"name":"x","type":"HTTP","method":"POST","url":"https://a.example","requestBody":"${escaped}"}`
    const answer = await api.request('POST', '/monitors', { rawBody })
    assert.equal(answer.status, 201, answer.text.slice(0, 300))
  })

  test('a body that is too large on other answers: 401, 403, 404, 405 come as always', async () => {
    const rawBody = sized(2 * MAX_BYTES)
    const rows: [method: string, path: string, key: string | null, status: number][] = [
      ['POST', '/monitors', null, 401],
      ['POST', '/monitors', keys.readOnly, 403],
      ['POST', '/nothing', keys.full, 404],
      ['PUT', '/monitors', keys.full, 405],
      ['GET', '/monitors', keys.full, 200],
    ]
    for (const [method, path, key, status] of rows)
      assert.equal((await api.request(method, path, { key, rawBody })).status, status, path)
  })

  test('updateMonitor 200: a request body of 100,000 code points comes back whole', async () => {
    const { id } = await api.createMonitor()
    const requestBody = '😀'.repeat(100_000)
    const { monitor } = await api.patch(`/monitors/${id}`, { requestBody })
    assert.equal(monitor.requestBody, requestBody)
  })
})
