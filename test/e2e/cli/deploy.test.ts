// `upv deploy`: good, broken and slow releases, and processes that are killed. The window is never left open.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { MaintenanceWindow } from '@upvane/sdk'
import type { Page, Script } from '../../kit/targets/web.ts'
import { startCli, waitFor } from './fixture.ts'

const CHECKS_BEFORE = 6
const LEASE_SECONDS = 10

const cli = await startCli({ REGION: 'eu' })
const directory = mkdtempSync(join(tmpdir(), 'upvane-deploy-'))
after(async () => {
  await cli.stop()
  rmSync(directory, { recursive: true })
})
const { upvane, web } = cli
await cli.product.stack.start('probe', { env: { REGION: 'us' } })
await waitFor('both regions', async () => {
  const { data } = await upvane.ext.organization.regions()
  return data.filter(({ live }) => live).length === 2
})

/** A monitor with an hour of history, and a page that a release can turn into another. */
async function watched(name: string): Promise<{ id: string; page: Page }> {
  const page = web.page({ status: 200 })
  const { id } = await upvane.monitors.create({
    name,
    type: 'HTTP',
    url: page.url,
    intervalSeconds: 86_400,
    timeoutSeconds: 5,
  })
  // It is checked once by itself, which must not be counted later.
  while (page.seen.length === 0) await delay(20)
  for (let count = 0; count < CHECKS_BEFORE; count++) await upvane.monitors.check(id)
  return { id, page }
}

/** A program that turns the page into another, as a release would. */
function releaseOf(page: Page, script: Script): string[] {
  const lever = web.page(() => {
    page.become(script)
    return { status: 200 }
  })
  return [process.execPath, '-e', `await fetch('${lever.url}')`, '--input-type=module']
}

const windowsOf = (monitorId: string): Promise<MaintenanceWindow[]> =>
  upvane.maintenanceWindows.list({ monitorId }).all()

async function assertClosed(monitorId: string, count = 1): Promise<void> {
  const windows = await windowsOf(monitorId)
  assert.deepEqual(
    windows.map(({ status }) => status),
    Array.from({ length: count }, () => 'COMPLETED'),
  )
}

const deploy = (name: string, ...more: string[]): string[] => [
  'deploy',
  '--monitor',
  name,
  '--samples',
  '3',
  ...more,
]

test('a good release: 0, checked from every region, output untouched, the window closed', async () => {
  const { id } = await watched('Good')
  const report = join(directory, 'good.json')
  const program = ['sh', '-c', 'printf "\\033[31mred\\033[0m\\r\\n"; echo notes >&2']
  const { code, stdout, stderr } = await cli.run([
    ...deploy('Good', '--report', report),
    '--',
    ...program,
  ])
  assert.equal(code, 0, stderr)
  assert.equal(stdout, '\u001b[31mred\u001b[0m\r\n')
  assert.match(stderr, /^notes$/m)
  assert.match(
    stderr,
    /^upv: Good OK: up from (?:eu, us|us, eu); p95 \d+ ms, \d+ ms in the hour before\.$/m,
  )
  await assertClosed(id)
  const written = JSON.parse(readFileSync(report, 'utf8')) as {
    isGood: boolean
    monitors: { verdict: string; p95BeforeMs: number }[]
  }
  assert.equal(written.isGood, true)
  assert.equal(written.monitors[0]?.verdict, 'OK')
  assert.ok((written.monitors[0]?.p95BeforeMs ?? -1) >= 0)
})

// biome-ignore format: a table is read by its columns
const bad: [name: string, script: Script, verdict: RegExp][] = [
  ['Broken', { status: 503 },  /^upv: Broken BROKEN: HTTP 503, expected .*$/m],
  ['Slow',   { delayMs: 900 }, /^upv: Slow SLOW: p95 \d+ ms, \d+ ms in the hour before\.$/m],
]
for (const [name, script, verdict] of bad)
  test(`a release that makes it ${name.toLowerCase()}: 1, and the window closed`, async () => {
    const { id, page } = await watched(name)
    const { code, stderr } = await cli.run([...deploy(name), '--', ...releaseOf(page, script)])
    assert.equal(code, 1, stderr)
    assert.match(stderr, verdict)
    assert.match(stderr, new RegExp(`^upv: roll back: ${name} is ${name.toUpperCase()}\\.$`, 'm'))
    await assertClosed(id)
  })

test('a program that fails: 1, nothing is checked, and the window closed', async () => {
  const { id, page } = await watched('Failing')
  const seen = page.seen.length
  const { code, stderr } = await cli.run([...deploy('Failing'), '--', 'sh', '-c', 'exit 3'])
  assert.equal(code, 1)
  assert.match(stderr, /^upv: roll back: the program ended with 3\.$/m)
  assert.equal(page.seen.length, seen)
  const missing = await cli.run([...deploy('Failing'), '--', '/nonexistent/release'])
  assert.deepEqual(
    [missing.code, /could not be started \(ENOENT\)/.test(missing.stderr)],
    [1, true],
  )
  await assertClosed(id, 2)
})

/** Starts a release that sleeps, and returns the process id of its program. */
async function sleeping(name: string, ...more: string[]) {
  const file = join(directory, `${name}.pid`)
  const script = `echo $$ > ${file}; exec sleep 120`
  const upv = cli.start([...deploy(name, ...more), '--', 'sh', '-c', script])
  await waitFor('the program', async () => existsSync(file) && readFileSync(file, 'utf8') !== '')
  return { upv, pid: Number(readFileSync(file, 'utf8')) }
}

test('kill -9 of the program: 1, and the window closed', async () => {
  const { id } = await watched('Killed')
  const { upv, pid } = await sleeping('Killed')
  assert.equal((await windowsOf(id))[0]?.status, 'ACTIVE')
  process.kill(pid, 'SIGKILL')
  const { code, stderr } = await upv.ended
  assert.equal(code, 1)
  assert.match(stderr, /^upv: roll back: the program was killed by SIGKILL\.$/m)
  await assertClosed(id)
})

test('kill of upv: the program gets the signal, and the window is closed', async () => {
  const { id } = await watched('Stopped')
  const { upv } = await sleeping('Stopped')
  const { code, stderr } = await upv.stop('SIGTERM')
  assert.equal(code, 1)
  assert.match(stderr, /was killed by SIGTERM/)
  await assertClosed(id)
})

test('kill -9 of upv: the window is extended while it runs, and then ends by itself', async () => {
  const { id } = await watched('Orphan')
  const { upv, pid } = await sleeping('Orphan', '--lease', `${LEASE_SECONDS}s`)
  await delay((LEASE_SECONDS + 3) * 1000)
  assert.equal((await windowsOf(id))[0]?.status, 'ACTIVE', 'longer than the first end')
  upv.process.kill('SIGKILL')
  // It holds the output open.
  process.kill(pid, 'SIGKILL')
  await upv.ended
  const [left] = await windowsOf(id)
  assert.ok(Date.parse(left?.endsAt ?? '') - Date.now() <= LEASE_SECONDS * 1000)
  await waitFor(
    'the end of the window',
    async () => (await windowsOf(id))[0]?.status === 'COMPLETED',
    (LEASE_SECONDS + 10) * 1000,
  )
})

test('what cannot work is refused before the program runs and before a window opens', async () => {
  const { id } = await watched('Refused')
  const { id: cron } = await upvane.monitors.create({ name: 'Backup', type: 'CRON' })
  const marker = join(directory, 'ran')
  const program = ['--', 'touch', marker]
  // biome-ignore format: a table is read by its columns
  const rows: [line: string[], code: number, stderr: RegExp][] = [
    [['deploy', '--monitor', 'Nobody', ...program],              1, /no monitor "Nobody"/],
    [['deploy', '--monitor', 'Backup', ...program],              2, /waits for pings/],
    [['deploy', '--monitor', 'Refused', '--lease', '1s', ...program], 2, /--lease must be/],
    [['deploy', '--monitor', 'Refused', '--region', 'atlantis', ...program], 2, /no check can run from "atlantis"/],
    [['deploy', '--monitor', 'Refused', '--report', '/nonexistent/r.json', ...program], 2, /cannot be written/],
    [['deploy', '--monitor', 'Refused', '--max-slowdown', '0', ...program], 2, /--max-slowdown must be/],
  ]
  for (const [line, code, stderr] of rows) {
    const ended = await cli.run(line)
    assert.equal(ended.code, code, ended.stderr)
    assert.match(ended.stderr, stderr)
  }
  const readOnly = await cli.run([...deploy('Refused'), ...program], cli.product.keys.readOnly)
  assert.equal(readOnly.code, 1)
  assert.match(readOnly.stderr, /403 forbidden/)
  await upvane.monitors.pause(id)
  const paused = await cli.run([...deploy('Refused'), ...program])
  assert.deepEqual([paused.code, /is paused/.test(paused.stderr)], [1, true])
  assert.deepEqual([await windowsOf(id), await windowsOf(cron)], [[], []])
  assert.equal(existsSync(marker), false)
})
