import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Postgres, startPostgres } from './postgres.ts'
import { findChildren, isRunning } from './processes.ts'

const WAIT = { timeout: 60_000 }

test('startPostgres: listens on loopback below 32768 and answers', WAIT, async (t) => {
  const startedAt = performance.now()
  await using held = await hold(startPostgres())
  t.diagnostic(`started in ${Math.round(performance.now() - startedAt)} ms`)
  const { url, host, port } = held.postgres

  assert.equal(host, '127.0.0.1')
  assert.ok(port >= 20_000 && port < 32_768)
  assert.deepEqual(await ask(url, 'show listen_addresses'), [{ listen_addresses: '127.0.0.1' }])
  assert.deepEqual(await ask(url, 'show max_connections'), [{ max_connections: '200' }])
  assert.deepEqual(await ask(url, 'show fsync'), [{ fsync: 'off' }])
})

test(
  'startPostgres: makes the two roles of an operator, none of them superuser',
  WAIT,
  async () => {
    await using held = await hold(startPostgres())
    const roles = await ask(
      held.postgres.url,
      `select rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin
       from pg_roles where rolname like 'upvane%' order by rolname`,
    )

    const login = { rolsuper: false, rolcanlogin: true }
    assert.deepEqual(roles, [
      { rolname: 'upvane', ...login, rolinherit: false, rolcreaterole: false, rolcreatedb: false },
      {
        rolname: 'upvane_owner',
        ...login,
        rolinherit: true,
        rolcreaterole: true,
        rolcreatedb: true,
      },
    ])
  },
)

test('startPostgres: settings reach the server, quotes and all', WAIT, async () => {
  const settings = { work_mem: '7MB', application_name: "it's ours" }
  await using held = await hold(startPostgres({ settings, durable: true }))
  const { url } = held.postgres

  assert.deepEqual(await ask(url, 'show work_mem'), [{ work_mem: '7MB' }])
  assert.deepEqual(await ask(url, 'show application_name'), [{ application_name: "it's ours" }])
  assert.deepEqual(await ask(url, 'show fsync'), [{ fsync: 'on' }])
})

test(
  'startPostgres: a failed start shows the end of the log and leaves nothing',
  WAIT,
  async () => {
    const children = findChildren(process.pid)
    await assert.rejects(startPostgres({ settings: { no_such_setting: '1' } }), (error: Error) => {
      assert.match(error.message, /unrecognized configuration parameter "no_such_setting"/)
      return true
    })
    assert.deepEqual(findChildren(process.pid), children)
  },
)

test('createDatabase: a copy of a template belongs to upvane_owner', WAIT, async () => {
  await using held = await hold(startPostgres())
  const { postgres } = held
  await postgres.createDatabase('first')
  await ask(postgres.databaseUrl('first', 'upvane_owner'), 'create table things as select 7 as n')

  await postgres.createDatabase('Second "copy"', { template: 'first' })

  const copy = postgres.databaseUrl('Second "copy"', 'upvane_owner')
  assert.deepEqual(await ask(copy, 'select n from things'), [{ n: 7 }])
  const whoAmI = 'select current_user::text as name'
  assert.deepEqual(await ask(postgres.databaseUrl('first'), whoAmI), [{ name: 'upvane' }])
  await assert.rejects(ask(postgres.databaseUrl('first'), 'select n from things'), /permission/)
})

test('copyData: another server has the same data, and settings of its own', WAIT, async () => {
  await using origin = await hold(startPostgres({ settings: { work_mem: '7MB' } }))
  await ask(origin.postgres.url, 'create table kept as select 1 as n')
  const copyOf = await origin.postgres.copyData()
  assert.equal(isRunning(origin.postgres.pid), false)

  await using copy = await hold(startPostgres({ durable: true, copyOf }))
  const { url } = copy.postgres
  assert.deepEqual(await ask(url, 'select n from kept'), [{ n: 1 }])
  const settings = `select current_setting('fsync') as fsync, current_setting('work_mem') as memory`
  assert.deepEqual(await ask(url, settings), [{ fsync: 'on', memory: '4MB' }])
  assert.deepEqual(await ask(copy.postgres.databaseUrl('postgres'), 'select 1 as n'), [{ n: 1 }])
})

test('dropDatabase: throws its users out, and is content with none', WAIT, async () => {
  await using held = await hold(startPostgres())
  const { postgres } = held
  await postgres.createDatabase('busy')
  await using user = await open(postgres.databaseUrl('busy'))

  await postgres.dropDatabase('busy')
  await postgres.dropDatabase('busy')

  await assert.rejects(user.client.query('select 1'))
  await assert.rejects(ask(postgres.databaseUrl('busy'), 'select 1'), /does not exist/)
})

test('kill, restart: committed data is there again, on the same port', WAIT, async (t) => {
  await using held = await hold(startPostgres({ durable: true }))
  const { postgres } = held
  await ask(postgres.url, 'create table kept as select 1 as n')
  await using user = await open(postgres.url)
  const before = [postgres.pid, ...findChildren(postgres.pid)]
  const { port } = postgres

  await postgres.kill()
  assert.ok(before.length > 5, 'a postmaster with its children')
  assert.deepEqual(before.filter(isRunning), [])
  await assert.rejects(user.client.query('select 1'))
  await assert.rejects(ask(postgres.url, 'select 1'), /ECONNREFUSED/)

  const restartedAt = performance.now()
  await postgres.restart()
  t.diagnostic(`restarted after a kill in ${Math.round(performance.now() - restartedAt)} ms`)
  assert.equal(postgres.port, port)
  assert.deepEqual(await ask(postgres.url, 'select n from kept'), [{ n: 1 }])
  assert.match(readLog(postgres), /database system was interrupted/)
})

test('restart: a running server is stopped in order first', WAIT, async () => {
  await using held = await hold(startPostgres())
  const { postgres } = held
  const before = postgres.pid
  await ask(postgres.url, 'create table kept as select 1 as n')

  await postgres.restart()

  assert.notEqual(postgres.pid, before)
  assert.deepEqual(await ask(postgres.url, 'select n from kept'), [{ n: 1 }])
  assert.match(readLog(postgres), /database system is shut down/)
})

test('freeze: a query hangs, also on a new connection; thaw lets both through', WAIT, async () => {
  await using held = await hold(startPostgres())
  const { postgres } = held
  await using user = await open(postgres.url)

  postgres.freeze()
  const onOpen = user.client.query('select 1')
  const onNew = ask(postgres.url, 'select 1')
  assert.equal(await Promise.race([onOpen, onNew, sleep(300, 'silence')]), 'silence')

  postgres.thaw()
  assert.equal((await onOpen).rowCount, 1)
  assert.equal((await onNew).length, 1)
})

test(
  'two instances side by side: neither sees the other, one outlives the other',
  WAIT,
  async () => {
    const [one, two] = await Promise.all([hold(startPostgres()), hold(startPostgres())])
    await using _one = one
    await using _two = two
    await one.postgres.createDatabase('only_in_one')

    assert.notEqual(one.postgres.port, two.postgres.port)
    await assert.rejects(ask(two.postgres.databaseUrl('only_in_one'), 'select 1'), /does not exist/)
    await one.postgres.stop()
    assert.equal((await ask(two.postgres.url, 'select 1')).length, 1)
  },
)

// What happens before stop; stop must leave nothing behind in any case.
const ways: [string, (postgres: Postgres) => Promise<void> | void][] = [
  ['running', () => {}],
  ['frozen', (postgres) => postgres.freeze()],
  ['killed', (postgres) => postgres.kill()],
  ['restarted', (postgres) => postgres.restart()],
]

for (const [way, prepare] of ways) {
  test(`stop, ${way}: no process, no directory, no shared memory is left`, WAIT, async () => {
    const postgres = await startPostgres()
    await prepare(postgres)
    const pids = [...findChildren(process.pid), ...findChildren(postgres.pid)]
    const segment = segmentOf(postgres)
    assert.ok(hasSegment(segment))

    await postgres.stop()
    await postgres.stop()

    assert.deepEqual(pids.filter(isRunning), [])
    assert.equal(existsSync(postgres.directory), false)
    assert.equal(hasSegment(segment), false)
  })
}

async function hold(starting: Promise<Postgres>) {
  const postgres = await starting
  return { postgres, [Symbol.asyncDispose]: () => postgres.stop() }
}

async function open(url: string) {
  const client = new pg.Client(url)
  // These tests kill servers while clients are connected.
  client.on('error', () => {})
  await client.connect()
  return { client, [Symbol.asyncDispose]: () => client.end() }
}

async function ask(url: string, text: string): Promise<object[]> {
  await using connection = await open(url)
  return (await connection.client.query(text)).rows
}

function readLog(postgres: Postgres): string {
  return readFileSync(join(postgres.directory, 'server.log'), 'utf8')
}

function segmentOf(postgres: Postgres): string {
  const lines = readFileSync(join(postgres.directory, 'data/postmaster.pid'), 'utf8').split('\n')
  return lines[6]?.trim().split(/\s+/)[1] ?? ''
}

function hasSegment(id: string): boolean {
  return execFileSync('ipcs', ['-m'])
    .toString()
    .split('\n')
    .some((line) => line.split(/\s+/)[1] === id)
}
