// Any bytes as the Host header, on every surface: nothing fails, and an unclaimed name does not change any response.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type Service, type Stack, startStack } from '../../tools/stack.ts'
import { ODD_HOSTS, RAW_HOSTS } from './hostile.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31))
const requests = Math.ceil(Number(process.env['FUZZ_REQUESTS'] ?? 5000) / 10)
const WORKERS = 4
const SHOWN_FAULTS = 20
const GIVE_UP_MS = 20_000
const PLAIN_NAME = /^[a-z0-9]([a-z0-9.-]{0,60}[a-z0-9])?(:\d{1,4})?$/i

/** For an unclaimed host these are the only responses. */
const SURFACES: readonly { path: string; status: number }[] = [
  { path: '/api/v1/monitors', status: 200 },
  { path: '/api/v1/nothing', status: 404 },
  { path: '/openapi.json', status: 200 },
  { path: '/docs', status: 200 },
  { path: '/hb/no-such-token-at-all', status: 404 },
  { path: '/no/such/path', status: 404 },
]

let stack: Stack
let service: Service
before(async () => {
  const env = { UNAUTHENTICATED_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'error' }
  stack = await startStack({ nats: true, rateLimit: 1e8, env })
  service = await stack.start('api')
})
after(() => stack.stop())

const label = fc.stringMatching(/^[a-z0-9_-]{1,63}$/)
const anyHost: fc.Arbitrary<Buffer> = fc.oneof(
  fc.constantFrom(...ODD_HOSTS, ...RAW_HOSTS).map((text) => Buffer.from(text, 'latin1')),
  fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => Buffer.from(labels.join('.'))),
  fc.tuple(fc.ipV4(), fc.nat(70_000)).map(([ip, port]) => Buffer.from(`${ip}:${port}`)),
  fc.ipV6().map((ip) => Buffer.from(`[${ip}]:8080`)),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes.filter((one) => one !== 10))),
)

test(`any Host header: ${requests} requests, seed ${seed}`, async (t) => {
  const plans = fc.sample(fc.tuple(anyHost, fc.constantFrom(...SURFACES)), {
    seed,
    numRuns: requests,
  })
  const faults: string[] = []
  const queue = plans.values()
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      for (const [host, surface] of queue) {
        const fault = judge(host, surface, await sendRequest(host, surface.path))
        if (fault !== undefined)
          faults.push(`${surface.path} with ${JSON.stringify(host.toString('latin1'))}: ${fault}`)
      }
    }),
  )
  t.diagnostic(`FUZZ_SEED=${seed}: ${plans.length} requests, ${faults.length} faults`)
  assert.deepEqual(faults.slice(0, SHOWN_FAULTS), [], `${faults.length} faults, seed ${seed}`)
})

type HostResponse = { status: number; head: string; body: string }

function judge(host: Buffer, wanted: { status: number }, answer: HostResponse): string | undefined {
  const { status, head, body } = answer
  if (Number.isNaN(status)) return 'no answer'
  const plain = PLAIN_NAME.test(host.toString('latin1'))
  if (status !== wanted.status && (plain || status !== 400)) return `status ${status}`
  if (!/^x-request-id: req_/im.test(head)) return 'no X-Request-Id'
  if (status < 400) return undefined
  const code = /"error":\{"code":"(\w+)","message":"[^"]+","requestId":"req_/.exec(body)?.[1]
  const expected = status === 404 ? 'not_found' : 'validation_error'
  return code === expected ? undefined : `not the envelope: ${body.slice(0, 200)}`
}

/** Sends the raw bytes: no client would send most of these. */
function sendRequest(host: Buffer, path: string): Promise<HostResponse> {
  const { hostname, port } = new URL(service.baseUrl)
  const { promise, resolve } = Promise.withResolvers<HostResponse>()
  const socket = connect({ host: hostname, port: Number(port) })
  const chunks: Buffer[] = []
  const finish = () => {
    const [head = '', body = ''] = Buffer.concat(chunks).toString('latin1').split('\r\n\r\n', 2)
    resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), head, body })
  }
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('close', finish)
  // A reset closes the connection too; whatever was read by then is judged.
  socket.on('error', () => undefined)
  socket.setTimeout(GIVE_UP_MS, () => socket.destroy())
  socket.write(`GET ${path} HTTP/1.1\r\nHost: `)
  socket.write(host)
  socket.write(`\r\nX-API-Key: ${stack.keys.full}\r\nConnection: close\r\n\r\n`)
  return promise
}
