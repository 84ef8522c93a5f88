import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { test } from 'node:test'
import { type Nats, startNats } from './nats.ts'
import { findChildren, isRunning } from './processes.ts'

const WAIT = { timeout: 30_000 }

test('startNats: greets with a payload limit of 4 MB', WAIT, async (t) => {
  const startedAt = performance.now()
  await using held = await hold(startNats())
  t.diagnostic(`started in ${Math.round(performance.now() - startedAt)} ms`)
  const { nats } = held

  assert.ok(nats.port >= 20_000 && nats.port < 32_768)
  assert.equal(nats.url, `nats://127.0.0.1:${nats.port}`)
  const info = await readInfo(nats.port)
  assert.equal(info['max_payload'], 4 * 1024 * 1024)
  assert.equal(info['host'], '127.0.0.1')
})

test('startNats: takes the text of a configuration file', WAIT, async () => {
  const config = 'max_payload: 2MB\nauthorization { user: probe, password: secret }\n'
  await using held = await hold(startNats({ config }))

  const info = await readInfo(held.nats.port)
  assert.equal(info['max_payload'], 2 * 1024 * 1024)
  assert.equal(info['auth_required'], true)
})

test('startNats: a failed start shows the end of the log and leaves nothing', WAIT, async () => {
  const children = findChildren(process.pid)
  await assert.rejects(startNats({ config: 'no_such_key: 1\n' }), /unknown field "no_such_key"/)
  assert.deepEqual(findChildren(process.pid), children)
})

test('kill, restart: gone at once, then back on the same port', WAIT, async () => {
  await using held = await hold(startNats())
  const { nats } = held
  const before = nats.pid

  await nats.kill()
  assert.equal(isRunning(before), false)
  await assert.rejects(readInfo(nats.port), /ECONNREFUSED/)

  await nats.restart()
  assert.notEqual(nats.pid, before)
  assert.equal((await readInfo(nats.port))['port'], nats.port)
})

test('stop: no process and no directory is left, also after a kill', WAIT, async () => {
  const [running, killed] = await Promise.all([startNats(), startNats()])
  const pids = findChildren(process.pid)
  assert.equal(pids.length, 4, 'two servers and their two watchdogs')
  await killed.kill()

  await Promise.all([running.stop(), killed.stop()])

  assert.deepEqual(pids.filter(isRunning), [])
  assert.equal(existsSync(running.directory), false)
  assert.equal(existsSync(killed.directory), false)
})

async function hold(starting: Promise<Nats>) {
  const nats = await starting
  return { nats, [Symbol.asyncDispose]: () => nats.stop() }
}

async function readInfo(port: number): Promise<Record<string, unknown>> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  let greeting = ''
  for await (const chunk of socket) {
    greeting += chunk
    if (greeting.includes('\r\n')) break
  }
  return JSON.parse(greeting.slice('INFO '.length))
}
