// On a machine without PostgreSQL, `try` uses the one from npm, and nothing else does.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { isRunning, signal, waitUntilGone } from './services/processes.ts'

const ROOT = join(import.meta.dirname, '..')
const WAIT = { timeout: 120_000 }
// Only root can hide installed programs.
const skip = process.getuid?.() !== 0 && 'needs root'

const directory = mkdtempSync(join(tmpdir(), 'upvane-bare-'))
after(() => rmSync(directory, { recursive: true }))
const passwd = join(directory, 'passwd')
writeFileSync(
  passwd,
  readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('postgres:'))
    .join('\n'),
)
// The machine as it was before PostgreSQL and its account were installed.
const HIDE = `
  [ ! -d /usr/lib/postgresql ] || mount -t tmpfs none /usr/lib/postgresql
  mount --bind ${passwd} /etc/passwd
  exec "$@"`
const BARE = ['--mount', 'sh', '-ec', HIDE, 'bare']
const { TEST_POSTGRES_FOLDER: _, ...inherited } = process.env
const env = { ...inherited, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` }

test('try: without an installed PostgreSQL the API answers', { ...WAIT, skip }, async (t) => {
  const startedMs = performance.now()
  const child = spawn('unshare', [...BARE, process.execPath, 'tools/try.ts', '--json'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(() => assert.fail('try ended before it was ready')),
    ])
    t.diagnostic(`ready after ${Math.round(performance.now() - startedMs)} ms`)
    const { baseUrl, databaseUrl, keys } = JSON.parse(String(line))
    const response = await fetch(`${baseUrl}/api/v1/monitors`, {
      headers: { 'X-API-Key': keys.full },
    })
    assert.equal(response.status, 200)
    const { pid, version } = await ask(databaseUrl)
    assert.match(version, /^PostgreSQL 18\./)
    assert.notEqual(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^Uid:\t(\d+)/m)?.[1], '0')
    child.kill('SIGTERM')
    assert.ok(await waitUntilGone([pid], 20_000), 'PostgreSQL goes on')
  } finally {
    if (child.pid !== undefined && isRunning(child.pid)) signal(child.pid, 'SIGKILL')
  }
})

test('startPostgres: does not take the PostgreSQL from npm unasked', { ...WAIT, skip }, () => {
  const { status, stderr } = runBare(`
    import { startPostgres } from './tools/services/postgres.ts'
    await startPostgres()`)
  assert.notEqual(status, 0)
  assert.match(stderr, /PostgreSQL was not found\. Install it: on Debian with/)
})

test('try --nats: a missing nats-server is a sentence', { ...WAIT, skip }, () => {
  const hide =
    'for f in /usr/sbin/nats-server /usr/bin/nats-server /usr/local/bin/nats-server; do [ ! -e $f ] || mount --bind /dev/null $f; done; exec "$@"'
  const { status, stderr } = spawnSync(
    'unshare',
    ['--mount', 'sh', '-ec', hide, 'bare', process.execPath, 'tools/try.ts', '--nats'],
    { cwd: ROOT, env, encoding: 'utf8' },
  )
  assert.equal(status, 1)
  assert.match(stderr, /^nats-server was not found\. Install it: .*\n$/)
})

function runBare(program: string) {
  return spawnSync(
    'unshare',
    [...BARE, process.execPath, '--input-type=module', '--eval', program],
    { cwd: ROOT, env, encoding: 'utf8' },
  )
}

async function ask(url: string): Promise<{ pid: number; version: string }> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid, version()')
  const [{ pid, version }] = rows
  const postmaster = parentOf(pid)
  await client.end()
  return { pid: postmaster, version }
}

// The backend exits with its connection; the postmaster is its parent.
function parentOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^PPid:\t(\d+)/m)?.[1])
}
