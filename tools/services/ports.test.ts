import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { claimPort, findFreePort } from './ports.ts'

const MODULE = join(import.meta.dirname, 'ports.ts')
const OWNER = `
  import { findFreePort } from ${JSON.stringify(MODULE)}
  process.stdout.write(String(await findFreePort()))
  setInterval(() => {}, 1000)`

test('ports of one process are all different', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => findFreePort()))
  assert.equal(new Set(ports).size, 50)
  assert.ok(ports.every((port) => port < 32_768))
})

test('a port belongs to its process while nothing listens on it, and is free after kill -9', {
  skip: process.platform === 'linux' ? false : 'only Linux has abstract sockets',
}, async () => {
  const owner = spawn(process.execPath, ['--input-type=module', '-e', OWNER])
  const [text] = (await once(owner.stdout, 'data')) as [Buffer]
  const port = Number(text.toString())
  assert.equal(await claimPort(port), false)
  owner.kill('SIGKILL')
  await once(owner, 'close')
  assert.equal(await claimPort(port), true)
  assert.equal(await claimPort(port), false, 'once')
})
