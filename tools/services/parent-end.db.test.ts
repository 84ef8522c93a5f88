// However a process that started servers exits, the servers and their directories go with it.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findChildren, isRunning, signal, waitUntilGone } from './processes.ts'

const WAIT = { timeout: 60_000 }
const GONE_WITHIN_MS = 10_000

// Reports when everything is up, and exits when its input ends.
const PARENT = `
  import { startNats } from './nats.ts'
  import { startPostgres } from './postgres.ts'
  await Promise.all([startPostgres(), startPostgres(), startNats()])
  console.log('up')
  process.stdin.on('end', () => process.exitCode = 7).resume()`

// A separate directory, so leftovers can be told apart from other running tests.
const place = mkdtempSync(join(tmpdir(), 'upvane-parent-end-'))
chmodSync(place, 0o777)
after(() => rmSync(place, { recursive: true, force: true }))

const ways: [string, (parent: ChildProcess) => unknown][] = [
  ['SIGKILL', (parent) => parent.kill('SIGKILL')],
  ['SIGTERM', (parent) => parent.kill('SIGTERM')],
  ['SIGINT', (parent) => parent.kill('SIGINT')],
  ['normal exit', (parent) => parent.stdin?.end()],
]

for (const [way, end] of ways) {
  test(`parent ends by ${way}: no process and no directory is left`, WAIT, async (t) => {
    const { parent, pids } = await startParent()
    // Three servers, three watchdogs, and the children of two postmasters.
    assert.ok(pids.length > 10, `${pids.length} processes`)

    end(parent)
    await once(parent, 'exit')
    const endedAt = performance.now()
    await assertNothingLeft(pids)
    t.diagnostic(`gone after ${Math.round(performance.now() - endedAt)} ms`)
    if (way === 'normal exit') assert.equal(parent.exitCode, 7)
  })
}

test(
  'parent killed while the first template is made: nothing but a whole one is left',
  WAIT,
  async () => {
    removeTemplate()
    const parent = spawnParent()
    while (!readdirSync(place).some((name) => hasDraft(name))) await sleep(5)
    const children = findChildren(parent.pid ?? 0)
    const pids = [...children, ...children.flatMap(findChildren)]

    parent.kill('SIGKILL')
    await once(parent, 'exit')
    await assertNothingLeft(pids)

    const next = await startParent()
    next.parent.stdin?.end()
    await once(next.parent, 'exit')
    assert.equal(next.parent.exitCode, 7)
    await assertNothingLeft(next.pids)
  },
)

function hasDraft(name: string): boolean {
  try {
    return readdirSync(join(place, name)).includes('template')
  } catch {
    return false
  }
}

async function startParent(): Promise<{ parent: ChildProcess; pids: number[] }> {
  const parent = spawnParent()
  const [line] = await Promise.race([
    once(parent.stdout ?? parent, 'data'),
    once(parent, 'exit').then(() => assert.fail('The parent ended before all was up.')),
  ])
  assert.equal(String(line), 'up\n')
  const children = findChildren(parent.pid ?? 0)
  return { parent, pids: [...children, ...children.flatMap(findChildren)] }
}

function spawnParent(): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '--eval', PARENT], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: place },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

async function assertNothingLeft(pids: number[]): Promise<void> {
  const gone = await waitUntilGone(pids, GONE_WITHIN_MS)
  const left = pids.filter(isRunning)
  for (const pid of left) signal(pid, 'SIGKILL')
  assert.ok(gone, `left: ${left.join(', ')}`)
  const templates = readdirSync(place).filter((name) => name.includes('-template-'))
  assert.deepEqual(readdirSync(place), templates)
}

function removeTemplate(): void {
  for (const name of readdirSync(place)) rmSync(join(place, name), { recursive: true })
}
