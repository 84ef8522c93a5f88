// Requests from strangers are limited in size, time and memory, and so are their connections.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type AppFixture, PASSWORD, startAppFixture } from './fixture.ts'

const KIB = 1024
const MIB = 1024 * KIB
const HALF_SENT = 300
// Discarded data still passes through memory. If it were kept, it would be 450 MiB.
const MAX_GROWTH_MIB = 200
const PER_NETWORK = 10

let fixture: AppFixture
before(async () => {
  fixture = await startAppFixture({}, { own: true })
})
after(() => fixture.stop())

const headOf = (path: string, headers: Record<string, string>) =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n')

/** Sends what it is given, and neither ends nor reads. */
function open(baseUrl: string, ...parts: (string | Buffer)[]): Socket {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  for (const part of parts) socket.write(part)
  return socket
}

/** Everything received until the other side closes the connection, cleanly or not. */
async function readAll(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += String(chunk)
  })
  await new Promise((resolve) => socket.once('close', resolve))
  return text
}

function residentMib(): number {
  const status = readFileSync(`/proc/${fixture.service.process.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / KIB
}

async function mostResidentMib(seconds: number): Promise<number> {
  let most = 0
  for (let n = 0; n < seconds * 10; n++) {
    most = Math.max(most, residentMib())
    await delay(100)
  }
  return most
}

describe('bodies', () => {
  test('400: what needs no membership takes at most 16 KiB', async () => {
    const person = await fixture.addPerson()
    const visitor = fixture.visitor()
    const filler = 'x'.repeat(16 * KIB)
    const answer = await visitor.post('/session', { email: filler, password: PASSWORD })
    assert.equal(answer.code, 'validation_error')
    assert.deepEqual(answer.error.details, [{ path: 'body', message: 'must be at most 16 KiB' }])
    assert.equal((await visitor.signIn(person.email, PASSWORD)).status, 200)
  })

  test('400: a body that is far too large is answered, is not read to its end, and loses its connection', async () => {
    const headers = { Origin: fixture.service.baseUrl, 'Content-Length': String(64 * MIB) }
    const socket = open(fixture.service.baseUrl, headOf('/app/api/session', headers))
    const piece = Buffer.alloc(MIB, 'x')
    const pump = () => {
      while (socket.writable && socket.bytesWritten < 64 * MIB && socket.write(piece));
    }
    socket.on('drain', pump)
    pump()
    const text = await readAll(socket)
    assert.match(text, /^HTTP\/1\.1 400 /)
    // Some of it fits into the socket buffers of both sides.
    const sentMib = (socket.bytesWritten - socket.writableLength) / MIB
    assert.ok(sentMib < 32, `${sentMib} MiB were taken`)
  })

  test('many half-sent uploads of nobody stay out of memory, and people sign in meanwhile', async () => {
    const person = await fixture.addPerson()
    const beforeMib = residentMib()
    const headers = { Origin: fixture.service.baseUrl, 'Sec-Fetch-Site': 'same-origin' }
    const piece = Buffer.alloc(1.5 * MIB, 'x')
    const long = { ...headers, 'Content-Length': String(2 * MIB) }
    const chunked = { ...headers, 'Transfer-Encoding': 'chunked' }
    const chunkHead = `${piece.length.toString(16)}\r\n`
    const sockets = Array.from({ length: HALF_SENT }, (_, n) =>
      n % 2 === 0
        ? open(fixture.service.baseUrl, headOf('/app/api/session', long), piece)
        : open(fixture.service.baseUrl, headOf('/app/api/session', chunked), chunkHead, piece),
    )
    const most = await mostResidentMib(4)
    const signedIn = await fixture.visitor().signIn(person.email, PASSWORD)
    for (const socket of sockets) socket.destroy()
    assert.equal(signedIn.status, 200)
    assert.ok(most - beforeMib < MAX_GROWTH_MIB, `grew by ${Math.round(most - beforeMib)} MiB`)
  })

  test('half-sent uploads of one organization take its own share of memory alone', async () => {
    const [busy, other] = [await fixture.createOrganization(), await fixture.createOrganization()]
    const beforeMib = residentMib()
    const head = headOf('/api/v1/monitors', {
      'X-API-Key': busy.key,
      'Content-Length': String(2 * MIB),
    })
    const piece = Buffer.alloc(1.5 * MIB, 'x')
    const sockets = Array.from({ length: HALF_SENT }, () =>
      open(fixture.service.baseUrl, head, piece),
    )
    const most = await mostResidentMib(2)
    const filler = 'x'.repeat(MIB)
    const startMs = performance.now()
    const answer = await other.api.post('/monitors', { name: 'Job', type: 'CRON', filler })
    const tookMs = performance.now() - startMs
    for (const socket of sockets) socket.destroy()
    assert.equal(answer.status, 201)
    assert.ok(tookMs < 2_000, `took ${tookMs} ms`)
    assert.ok(most - beforeMib < MAX_GROWTH_MIB, `grew by ${Math.round(most - beforeMib)} MiB`)
  })

  test('400: a body that does not come in time ends its connection', async () => {
    const headers = { Origin: fixture.service.baseUrl, 'Content-Length': '100' }
    const startMs = performance.now()
    const text = await readAll(
      open(fixture.service.baseUrl, headOf('/app/api/session', headers), '{"email":'),
    )
    const seconds = (performance.now() - startMs) / 1000
    assert.match(text, /^HTTP\/1\.1 400 /)
    assert.match(text, /was not received within 15 s/)
    assert.match(text, /\r\nConnection: close\r\n/i)
    assert.ok(seconds >= 14 && seconds < 25, `after ${seconds} s`)
  })
})

describe('connections', () => {
  const most = String(PER_NETWORK)
  for (const [title, env] of [
    ['from one network', { TRUSTED_PROXIES: '', MAX_CONNECTIONS_PER_NETWORK: most }],
    ['in all, also by a trusted proxy', { TRUSTED_PROXIES: '127.0.0.0/8', MAX_CONNECTIONS: most }],
  ] as const)
    test(`so many ${title}, and one that ends makes room`, async () => {
      const { baseUrl, stop } = await fixture.stack.start('api', { env })
      const idle = Array.from({ length: PER_NETWORK }, () => open(baseUrl))
      await delay(300)
      assert.equal(await readAll(open(baseUrl, 'GET /openapi.json HTTP/1.0\r\n\r\n')), '')
      idle[0]?.destroy()
      await delay(300)
      const text = await readAll(open(baseUrl, 'GET /openapi.json HTTP/1.0\r\n\r\n'))
      assert.match(text, /^HTTP\/1\.1 200 /)
      for (const socket of idle) socket.destroy()
      await stop()
    })

  test('a trusted proxy has as many as it needs', async () => {
    const { baseUrl, stop } = await fixture.stack.start('api', {
      env: { TRUSTED_PROXIES: '127.0.0.0/8', MAX_CONNECTIONS_PER_NETWORK: String(PER_NETWORK) },
    })
    const idle = Array.from({ length: 5 * PER_NETWORK }, () => open(baseUrl))
    await delay(300)
    const text = await readAll(open(baseUrl, 'GET /openapi.json HTTP/1.0\r\n\r\n'))
    assert.match(text, /^HTTP\/1\.1 200 /)
    for (const socket of idle) socket.destroy()
    await stop()
  })
})
