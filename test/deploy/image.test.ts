// The image, built by buildah from the archive and run by podman: as an unprivileged user, read-only, without
// capabilities, against a real PostgreSQL.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../tools/services/ports.ts'
import { startStack } from '../../tools/stack.ts'
import { cgroup2, findObstacle } from './abilities.ts'
import { getRelease, getStorage, VERSION } from './release.ts'
import { run, tryRun } from './shell.ts'

const IMAGE = `localhost/upvane:${VERSION}-amd64`
const LIMITS = ['--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=30000:30000']
const CLOSED = ['--read-only', '--read-only-tmpfs=false', '--tmpfs', '/tmp', '--cap-drop', 'ALL']
const READY_SECONDS = 30
const skip = findObstacle('containers') ?? false

test('the image runs the product as an unprivileged user', { skip }, async (t) => {
  await getRelease()
  const { env } = await getStorage()
  const stack = await startStack({ nats: false })
  t.after(() => stack.stop())
  const [port, internalPort] = [await findFreePort(), await findFreePort()]
  const settings = { ...stack.env, PORT: String(port), INTERNAL_PORT: String(internalPort) }
  const passed = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const child = podman(['--name', 'upvane-test', ...passed, IMAGE, 'start'], env)
  t.after(() => stop(child))
  const ready = await waitFor(`http://127.0.0.1:${internalPort}/readyz`, child)
  assert.match(ready, /"ready":true/)
  const page = await fetch(`http://127.0.0.1:${port}/`)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /<script/)
  const status = await statusOf(internalPort)
  assert.match(status, /^Uid:\s+10001/m)
  assert.match(status, /^CapBnd:\s+0{16}$/m)
  assert.match(status, /^NoNewPrivs:\s+1$/m)
  const command = (...args: string[]) =>
    tryRun(podmanRun([...passed, '--entrypoint', 'upvane', IMAGE, ...args]), { env })
  const backup = await command('backup', '/tmp/upvane.dump')
  assert.match(backup.stdout, /^Backed up \d+ rows/, backup.stderr)
  const guide = 'cat docs/operating/troubleshooting.md'
  const shown = podmanRun(['--entrypoint', 'sh', IMAGE, '-c', guide])
  assert.match((await tryRun(shown, { env })).stdout, /^# Troubleshooting/m)
  const doctor = await command('doctor')
  assert.match(doctor.stdout, /^\w+ +ping /m, doctor.stderr)
  assert.doesNotMatch(doctor.stderr, /ExperimentalWarning/)
})

function podman(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const [program = '', ...rest] = podmanRun(args)
  return spawn(program, rest, { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

function podmanRun(args: readonly string[]): string[] {
  const command = ['run', '--rm', '--network', 'host', '--cgroups=disabled', ...LIMITS, ...CLOSED]
  const all = ['--cgroup-manager', 'cgroupfs', ...command, '--security-opt', 'no-new-privileges']
  return ['bash', '-c', cgroup2('podman "$@"'), '_', ...all, ...args]
}

async function waitFor(url: string, child: ChildProcess): Promise<string> {
  for (const deadline = Date.now() + READY_SECONDS * 1000; Date.now() < deadline; ) {
    if (child.exitCode !== null) throw new Error(`podman ended with ${child.exitCode}.`)
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return response.text()
    await delay(200)
  }
  throw new Error('The container did not become ready.')
}

/** The status of the process that listens on the port. */
async function statusOf(port: number): Promise<string> {
  const sockets = await run(['ss', '--listening', '--tcp', '--numeric', '--processes'])
  const pid = new RegExp(`:${port}\\s.*pid=(\\d+)`).exec(sockets)?.[1] ?? 'self'
  return readFileSync(`/proc/${pid}/status`, 'utf8')
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
