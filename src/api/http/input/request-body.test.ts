// Large bodies of different organizations are parsed and validated in turn, with a rest for everybody else after each.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { largeBody, readJsonBody } from './request-body.ts'

const OWNERS = 4
const WORK_MS = 20
// Three times as long as the work.
const LEAST_REST_MS = 50
const BODY = JSON.stringify({ text: 'x'.repeat(20_000) })
const LIMIT = largeBody({ maxBytes: 100_000, maxTokens: 10, maxDepth: 2 })

function block(): void {
  const endMs = performance.now() + WORK_MS
  while (performance.now() < endMs);
}

test('validating a large body holds up everybody else for one piece, and then nobody for three times as long', async () => {
  const pieces: { startMs: number; endMs: number }[] = []
  const server = createServer(async (incoming, response) => {
    const owner = String(incoming.headers['x-owner'])
    const text = await readJsonBody(incoming, { limit: LIMIT, owner }, (read) => {
      const startMs = performance.now()
      block()
      pieces.push({ startMs, endMs: performance.now() })
      return 'json' in read ? (read.json as { text: string }).text : ''
    })
    response.end(String(text.length))
  }).listen(0, '127.0.0.1')
  after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const send = (owner: number) =>
    new Promise<string>((resolve, reject) => {
      const headers = {
        'Content-Type': 'application/json',
        'Content-Length': BODY.length,
        'X-Owner': String(owner),
      }
      const sent = request({ port, host: '127.0.0.1', method: 'POST', headers, agent: false })
      sent.on('error', reject)
      sent.on('response', async (response) => {
        const chunks = await Array.fromAsync<Buffer>(response)
        resolve(Buffer.concat(chunks).toString())
      })
      sent.end(BODY)
    })
  const answers = await Promise.all(Array.from({ length: OWNERS }, (_, owner) => send(owner)))
  assert.deepEqual(new Set(answers), new Set(['20000']))
  assert.equal(pieces.length, OWNERS)
  for (const [index, { startMs }] of pieces.entries()) {
    const before = pieces[index - 1]
    if (before === undefined) continue
    const restMs = startMs - before.endMs
    assert.ok(restMs >= LEAST_REST_MS, `${restMs} ms between two pieces`)
  }
})
