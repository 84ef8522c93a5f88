// Malformed requests, and requests no ordinary client sends: the response is always the envelope.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { assertRefused, sendRaw } from '../kit/raw-http.ts'

const fixture = await startProduct()
const { api, db, keys } = fixture
after(() => fixture.stop())

const KEY = `X-API-Key: ${keys.full}\r\n`
const GET = `GET /api/v1/monitors HTTP/1.1\r\nHost: x\r\n${KEY}`
const POST = `POST /api/v1/monitors HTTP/1.1\r\nHost: x\r\n${KEY}Content-Type: application/json\r\n`
const cron = '{"name":"Raw","type":"CRON"}'

describe('bytes that are no request are refused with the envelope', { concurrency: 8 }, () => {
  const tlsHello = Buffer.from('160301020001000001fc0303', 'hex')
  const rows: [name: string, ...pieces: (string | Buffer)[]][] = [
    ['words', 'hello there\r\n\r\n'],
    ['binary', Buffer.from([0, 1, 2, 3, 255, 254, 13, 10, 13, 10])],
    ['a TLS hello', tlsHello],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a version that is none', 'GET /api/v1/monitors HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['another protocol', 'GET /api/v1/monitors FTP/1.0\r\nHost: x\r\n\r\n'],
    ['no target', 'GET HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a blank in the target', 'GET /api/v1/moni tors HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a target without a slash', 'GET api/v1/monitors HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a control character in the target', 'GET /api/v1/\x01 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a colon', `${GET}nonsense\r\n\r\n`],
    ['a header without a name', `${GET}: value\r\n\r\n`],
    ['a blank in a header name', `${GET}X Y: z\r\n\r\n`],
    ['a blank before the colon', `${GET}X-Y : z\r\n\r\n`],
    ['NUL in a header', `${GET}X-Y: a\0b\r\n\r\n`],
    ['a bare CR in a header', `${GET}X-Y: a\rb\r\n\r\n`],
    ['a length that is no number', `${POST}Content-Length: abc\r\n\r\n`],
    ['a negative length', `${POST}Content-Length: -5\r\n\r\n`],
    ['a length beyond all bounds', `${POST}Content-Length: 99999999999999999999999\r\n\r\n`],
    ['two lengths', `${POST}Content-Length: 5\r\nContent-Length: 6\r\n\r\n`],
    [
      'length and chunks',
      `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['another transfer encoding', `${POST}Transfer-Encoding: gzip\r\n\r\nabc`],
    ['chunks that are not last', `${POST}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
    ['a bad chunk size', `${POST}Transfer-Encoding: chunked\r\n\r\n`, 'zz\r\nabc\r\n0\r\n\r\n'],
    [
      'a chunk longer than it says',
      `${POST}Transfer-Encoding: chunked\r\n\r\n`,
      '2\r\nabcdef\r\n0\r\n\r\n',
    ],
    ['headers of 17 KiB', `${GET}X-Large: ${'x'.repeat(17 * 1024)}\r\n\r\n`],
    ['headers of 200 KiB', `${GET}${'X-Many: x\r\n'.repeat(20_000)}\r\n`],
    ['a target of 20 KiB', `GET /api/v1/${'x'.repeat(20 * 1024)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ]
  for (const [name, ...pieces] of rows)
    test(`400 path request: ${name}`, async () => {
      await assertRefused(api, { pieces })
    })

  const halves: [name: string, ...pieces: string[]][] = [
    ['the request line', 'GET /api/v1/mon'],
    ['the headers', GET],
    ['a body with a length', `${POST}Content-Length: 100\r\n\r\n{"name"`],
    ['a chunk', `${POST}Transfer-Encoding: chunked\r\n\r\n`, '10\r\n{"na'],
    ['chunks without an end', `${POST}Transfer-Encoding: chunked\r\n\r\n`, '4\r\n{}  \r\n'],
  ]
  for (const [name, ...pieces] of halves)
    test(`400 path request: a request that breaks off in ${name}`, async () => {
      await assertRefused(api, { pieces, half: true })
    })

  test('a POST that breaks off creates nothing', async () => {
    const before = (await api.get('/monitors')).monitors.pagination.total
    const pieces = [`${POST}Content-Length: ${cron.length + 1}\r\n\r\n${cron}`]
    await assertRefused(api, { pieces, half: true })
    assert.equal((await api.get('/monitors')).monitors.pagination.total, before)
  })
})

test('requests that break off before they are read hold no place of the organization', async () => {
  // A key of the organization that was not used yet: the connection is over before it is looked up.
  const post = POST.replace(keys.full, keys.full2)
  const pieces = [`${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`]
  await Promise.all(Array.from({ length: 8 }, () => assertRefused(api, { pieces })))
  const chunked = [`${POST}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`]
  const { answers } = await sendRaw(api, { pieces: chunked, answers: 1, methods: ['POST'] })
  assert.equal(answers[0]?.status, 400)
})

function inPieces(text: string): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += 30) pieces.push(text.slice(at, at + 30))
  return pieces
}

describe('unusual requests are served', { concurrency: 8 }, () => {
  const rows: [name: string, status: number, ...pieces: string[]][] = [
    ['HTTP/0.9, which has no headers and so no key', 401, 'GET /api/v1/monitors\r\n\r\n'],
    ['no Host', 200, `GET /api/v1/monitors HTTP/1.1\r\n${KEY}\r\n`],
    ['two Hosts', 200, `${GET}Host: y\r\n\r\n`],
    ['HTTP/1.0', 200, `GET /api/v1/monitors HTTP/1.0\r\n${KEY}\r\n`],
    [
      'the absolute form',
      200,
      `GET http://other.example/api/v1/monitors HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`,
    ],
    [
      'the absolute form without a path',
      404,
      `GET http://other.example HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`,
    ],
    ['the asterisk form', 404, `OPTIONS * HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`],
    ['empty lines before it', 200, `\r\n\r\n${GET}\r\n`],
    ['a request in small pieces', 200, ...inPieces(`${GET}\r\n`)],
    ['an expectation nobody knows', 200, `${GET}Expect: miracles\r\n\r\n`],
    ['an upgrade', 200, `${GET}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
    [
      'an upgrade to HTTP/2',
      200,
      `${GET}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n`,
    ],
    ['Connection: close', 200, `${GET}Connection: close\r\n\r\n`],
    ['headers just below 16 KiB', 200, `${GET}X-Large: ${'x'.repeat(15 * 1024)}\r\n\r\n`],
    ['text of 8 bits in a header', 200, `${GET}X-Latin: \xe9\xff\r\n\r\n`],
    ['an Accept that asks for XML', 200, `${GET}Accept: application/xml\r\n\r\n`],
    ['a range', 200, `${GET}Range: bytes=0-1\r\n\r\n`],
    ['conditions', 200, `${GET}If-Match: "x"\r\nIf-None-Match: *\r\nIf-Modified-Since: x\r\n\r\n`],
    ['an Origin', 200, `${GET}Origin: https://evil.example\r\n\r\n`],
    [
      'a long id',
      404,
      `GET /api/v1/monitors/${'x'.repeat(8000)} HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`,
    ],
  ]
  for (const [name, status, ...pieces] of rows)
    test(`${status}: ${name}`, async () => {
      const { answers } = await sendRaw(api, { pieces, answers: 1 })
      assert.equal(answers[0]?.status, status, answers[0]?.text ?? 'no answer')
    })

  test('HTTP/1.0 and Connection: close are closed after the answer', async () => {
    const requests = [
      `GET /api/v1/monitors HTTP/1.0\r\n${KEY}\r\n`,
      `${GET}Connection: close\r\n\r\n`,
    ]
    for (const piece of requests) {
      const { answers, closed } = await sendRaw(api, { pieces: [piece] })
      assert.deepEqual([answers.length, closed], [1, true])
    }
  })

  test('201: a body announced with Expect: 100-continue', async () => {
    const head = `${POST}Content-Length: ${cron.length}\r\nExpect: 100-continue\r\n\r\n`
    const { answers } = await sendRaw(api, { pieces: [head, cron], answers: 1, methods: ['POST'] })
    assert.equal(answers[0]?.status, 201)
  })

  test('201: a body in many chunks, with extensions and a trailer', async () => {
    const chunks = [...cron].map((character) => `1;ext=1\r\n${character}\r\n`).join('')
    const head = `${POST}Transfer-Encoding: chunked\r\nTrailer: X-End\r\n\r\n`
    const pieces = [head, `${chunks}0\r\nX-End: 1\r\n\r\n`]
    const { answers } = await sendRaw(api, { pieces, answers: 1, methods: ['POST'] })
    assert.equal(answers[0]?.status, 201)
  })
})

describe('one connection, several requests', { concurrency: 8 }, () => {
  test('pipelined requests are answered in their order', async () => {
    const targets = ['/monitors', '/nothing', '/monitors?limit=0', '/monitors/x', '/monitors']
    const pieces = [
      targets.map((path) => `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`).join(''),
    ]
    const { answers } = await sendRaw(api, { pieces, answers: 5 })
    const statuses = answers.map((answer) => answer.status)
    assert.deepEqual(statuses, [200, 404, 400, 404, 200])
    assert.equal(new Set(answers.map((answer) => answer.requestId)).size, 5)
  })

  test('400: a request line or headers above 16 KiB are called too large, not unreadable', async () => {
    for (const piece of [
      `${GET}X-Large: ${'x'.repeat(17 * 1024)}\r\n\r\n`,
      `GET /api/v1/monitors?q=${'x'.repeat(17 * 1024)} HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`,
    ]) {
      const { answers, closed } = await sendRaw(api, { pieces: [piece] })
      assert.deepEqual([answers[0]?.status, closed], [400, true])
      assert.match(answers[0]?.text ?? '', /"path":"request","message":"is too large: .* 16 KiB/)
    }
  })

  test('the connection stays open after 400, 401, 403, 404 and 405 with a body', async () => {
    const bodies: [head: string, body: string][] = [
      [POST, '{'],
      [`POST /api/v1/monitors HTTP/1.1\r\nHost: x\r\n`, 'unread'],
      [`POST /api/v1/monitors HTTP/1.1\r\nX-API-Key: ${keys.readOnly}\r\n`, 'x'.repeat(100_000)],
      [`POST /api/v1/nothing HTTP/1.1\r\n${KEY}`, 'unread'],
      [`PUT /api/v1/monitors HTTP/1.1\r\n${KEY}`, 'unread'],
    ]
    const pieces = bodies.map(
      ([head, body]) => `${head}Content-Length: ${body.length}\r\n\r\n${body}`,
    )
    const { answers } = await sendRaw(api, { pieces: [...pieces, `${GET}\r\n`], answers: 6 })
    const statuses = answers.map((answer) => answer.status)
    assert.deepEqual(statuses, [400, 401, 403, 404, 405, 200])
  })

  test('what follows a finished answer and is no request is refused with the envelope', async () => {
    const pieces = [`${GET}\r\n`, ...Array.from({ length: 10 }, () => ''), 'garbage\r\n\r\n']
    const { answers, closed } = await sendRaw(api, { pieces })
    const statuses = answers.map((answer) => answer.status)
    assert.deepEqual([statuses, closed], [[200, 400], true])
  })

  test('what follows a request that is still running does not take its answer away', async () => {
    const { id } = await api.createMonitor()
    const body = '{"name":"Pipelined"}'
    const patch = `PATCH /api/v1/monitors/${id} HTTP/1.1\r\n${KEY}Content-Type: application/json\r\n`
    const pieces = [`${patch}Content-Length: ${body.length}\r\n\r\n${body}garbage\r\n\r\n`]
    const asked = { path: `/api/v1/monitors/${id}`, methods: ['PATCH', 'GET'] }
    const { answers } = await sendRaw(api, { pieces, ...asked })
    await new Promise((resolve) => setTimeout(resolve, 500))
    const isPublished = (await db.eventsOf(id)).length > 1
    // Either it was not executed and is refused, or it was executed and the response says so.
    assert.equal(
      answers[0]?.status,
      isPublished ? 200 : 400,
      'the first answer belongs to the first request',
    )
    assert.equal(answers.at(-1)?.status, 400)
  })

  test('a client that goes away in the middle harms nobody', async () => {
    const heads = [`${POST}Content-Length: 100\r\n\r\n{`, GET, `${GET}\r\n`, 'GET']
    await Promise.all(
      heads.map((head) => sendRaw(api, { pieces: [head], giveUpMs: 50, answers: 0 })),
    )
    assert.equal((await api.get('/monitors')).status, 200)
  })
})
