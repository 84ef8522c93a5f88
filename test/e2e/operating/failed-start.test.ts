// A process that cannot start, over and over: the heartbeat must never say that all is well.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { findFreePort } from '../../../tools/services/ports.ts'
import { type Environment, type Stack, startStack } from '../../../tools/stack.ts'
import { until } from '../webhooks/fixture.ts'

const MAIN = join(import.meta.dirname, '../../../src/main.ts')

type Call = { path: string; body: string; atMs: number }

let stack: Stack
const calls: Call[] = []
const receiver = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (text: string) => void (body += text))
  request.on('end', () => {
    calls.push({ path: request.url ?? '', body, atMs: performance.now() })
    response.end()
  })
})
const taken = createTcpServer()

before(async () => {
  receiver.listen(0, '127.0.0.1')
  taken.listen(0, '127.0.0.1')
  await Promise.all([once(receiver, 'listening'), once(taken, 'listening')])
  stack = await startStack({
    nats: false,
    env: {
      LOG_LEVEL: 'warn',
      SELF_HEARTBEAT_URL: `http://127.0.0.1:${portOf(receiver)}/beat`,
      SELF_HEARTBEAT_SECONDS: '3',
    },
  })
})

after(async () => {
  await stack?.stop()
  receiver.close()
  taken.close()
})

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port

async function fail(env: Environment): Promise<{ code: number; stderr: string }> {
  const child = spawn(process.execPath, [MAIN, 'start'], {
    cwd: stack.directory,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...stack.env, INTERNAL_PORT: String(await findFreePort()), ...env },
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text))
  const [code] = (await once(child, 'close')) as [number]
  return { code, stderr }
}

test('a start that fails is reported with its reason, and never as well', async () => {
  for (let run = 0; run < 2; run++) {
    const { code, stderr } = await fail({ PORT: String(portOf(taken)) })
    assert.equal(code, 1)
    assert.match(stderr, /^The address to listen on is taken/m)
  }
  assert.deepEqual(
    calls.map(({ path }) => path),
    ['/beat/fail', '/beat/fail'],
  )
  for (const { body } of calls) assert.match(body, /could not start: The address to listen on/)
})

test('NATS that is not there is one sentence, reported, and worth another try', async () => {
  calls.length = 0
  const { code, stderr } = await fail({ NATS_URL: `nats://127.0.0.1:${await findFreePort()}` })
  assert.equal(code, 1)
  assert.match(stderr, /NATS cannot be used \(.+\)\. Does it run, and is NATS_URL right\?/)
  assert.doesNotMatch(stderr, / at .+\.ts:\d+/)
  assert.deepEqual(
    calls.map(({ path }) => path),
    ['/beat/fail'],
  )
})

test('one that works is reported as well after a whole round, and a second that fails is not its business', async () => {
  calls.length = 0
  const { baseUrl } = await stack.start('start')
  const readyMs = performance.now()
  await until('a call', async () => calls.length > 0, 20_000)
  assert.deepEqual([calls[0]?.path, calls[0]?.body], ['/beat', ''])
  assert.ok((calls[0]?.atMs ?? 0) - readyMs > 2_000, 'not at once')
  const { code } = await fail({ PORT: String(portOf(taken)), BASE_URL: baseUrl })
  assert.equal(code, 1)
  assert.deepEqual(
    calls.filter(({ path }) => path !== '/beat'),
    [],
  )
})
