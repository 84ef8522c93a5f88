// PgBouncer in transaction mode between Upvane and PostgreSQL: refused with the reason, whatever it is configured to
// ignore.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { getPostgres } from '../../../tools/services/executables.ts'
import { findFreePort } from '../../../tools/services/ports.ts'
import { type Stack, startStack } from '../../../tools/stack.ts'

const MAIN = join(import.meta.dirname, '../../../src/main.ts')
const STRAIGHT =
  /^Upvane must connect directly to PostgreSQL: .* such as PgBouncer .* DATABASE_URL .*\n$/
const EVERYTHING =
  'ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout, options, extra_float_digits'
const { account } = getPostgres()

let stack: Stack
before(async () => {
  stack = await startStack({ nats: false })
})
after(() => stack.stop())

for (const [what, setting] of [
  ['as it is', ''],
  ['configured to ignore connection settings', EVERYTHING],
] as const)
  test(`PgBouncer ${what}: every command says to connect directly`, async () => {
    const pooler = await startPooler(setting)
    try {
      for (const command of ['start', 'migrate', 'migrate --plan', 'org list', 'person list']) {
        const { status, stderr } = upvane(command, pooler.port)
        assert.match(stderr, STRAIGHT, command)
        assert.equal(status, 1, command)
      }
      const { status, stdout } = upvane('doctor', pooler.port)
      assert.equal(status, 1)
      const { checks } = JSON.parse(stdout) as { checks: Record<string, string>[] }
      const found = checks.find(({ check }) => check === 'pooler')
      assert.equal(found?.['level'], 'fail')
      assert.match(`${found?.['message']}\n`, STRAIGHT)
    } finally {
      await pooler.stop()
    }
  })

test('without a pooler the same commands work', () => {
  for (const command of ['migrate', 'org list', 'person list']) {
    const { status, stderr } = upvane(command, stack.postgres.port)
    assert.equal(status, 0, stderr)
  }
})

function upvane(command: string, port: number) {
  const at = (url = '') => url.replace(`:${stack.postgres.port}/`, `:${port}/`)
  const { DATABASE_URL, MIGRATE_DATABASE_URL, ...env } = stack.env
  return spawnSync(process.execPath, [MAIN, ...command.split(' '), '--json'], {
    encoding: 'utf8',
    timeout: 30_000,
    env: {
      ...env,
      DATABASE_URL: at(DATABASE_URL),
      MIGRATE_DATABASE_URL: at(MIGRATE_DATABASE_URL),
    },
  })
}

async function startPooler(setting: string): Promise<{ port: number; stop(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'upvane-pooler-'))
  const port = await findFreePort()
  const users = join(directory, 'users.txt')
  const settings = join(directory, 'pgbouncer.ini')
  writeFileSync(users, '"upvane" ""\n"upvane_owner" ""\n')
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${stack.postgres.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
${setting}
`,
  )
  for (const path of account ? [directory, users, settings] : [])
    chownSync(path, account?.uid ?? 0, account?.gid ?? 0)
  const child = spawn('/usr/sbin/pgbouncer', ['-q', settings], { ...account, stdio: 'ignore' })
  await untilListening(child, port)
  return {
    port,
    async stop() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      rmSync(directory, { recursive: true })
    },
  }
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  for (;;) {
    assert.equal(child.exitCode, null, 'PgBouncer ended')
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await sleep(50)
  }
}
