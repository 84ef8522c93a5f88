// What is in a database: a hash of the rows of each table, and of what belongs to tables.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { getAccount } from './own-data.ts'

export type Content = Record<string, string>

const TABLES = `
  select relname as name from pg_class
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`
const BESIDE = `
  select 'policy ' || policyname || ' of ' || tablename as name, roles::text || cmd || coalesce(qual, '') || coalesce(with_check, '') as content
    from pg_policies where schemaname = 'public'
  union all select 'index ' || indexname, indexdef from pg_indexes where schemaname = 'public'
  union all select 'sequence ' || sequencename, coalesce(last_value, 0)::text from pg_sequences where schemaname = 'public'
  union all select 'trigger ' || tgname || ' of ' || tgrelid::regclass, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select 'grants of ' || table_name, string_agg(grantee || privilege_type, ',' order by grantee, privilege_type)
    from information_schema.role_table_grants where table_schema = 'public' group by table_name`
const WAIT_SECONDS = 60

export async function readContent(url: string): Promise<Content> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`set timezone to 'UTC'`)
    const content: Content = {}
    const { rows } = await client.query<{ name: string }>(TABLES)
    for (const { name } of rows) {
      const { rows: sums } = await client.query<{ sum: string }>(
        `select count(*) || ' rows, ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as sum from ${pg.escapeIdentifier(name)} t`,
      )
      content[name] = sums[0]?.sum ?? ''
    }
    const { rows: beside } = await client.query<{ name: string; content: string }>(BESIDE)
    for (const { name, content: text } of beside) content[name] = text
    return content
  } finally {
    await client.end()
  }
}

/** Of a data directory that nobody uses: `data` in `directory`, with the programs of its version. */
export async function readOwnContent(
  directory: string,
  programs: string,
  data = 'postgres',
): Promise<Content> {
  // Of its own: in that of the product are the files of processes that were killed.
  const sockets = mkdtempSync(join(tmpdir(), 'upvane-sockets-'))
  const { uid, gid } = getAccount()
  chownSync(sockets, uid, gid)
  const url = readFileSync(join(directory, 'secrets/migrate_database_url'), 'utf8')
    .trim()
    .replace(/@.*\//, `@${encodeURIComponent(sockets)}/`)
  const settings = ['listen_addresses=', `unix_socket_directories=${sockets}`]
  // Its id may be of a process that nobody has waited for yet.
  rmSync(join(directory, data, 'postmaster.pid'), { force: true })
  const args = ['-D', join(directory, data), ...settings.flatMap((each) => ['-c', each])]
  const server = spawn(join(programs, 'postgres'), args, {
    uid,
    gid,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    await waitUntilReady(server, url)
    return await readContent(url)
  } finally {
    const ended = server.exitCode === null ? once(server, 'exit') : undefined
    server.kill('SIGINT')
    await ended
    rmSync(sockets, { recursive: true })
  }
}

async function waitUntilReady(server: ChildProcess, url: string): Promise<void> {
  for (const deadline = Date.now() + WAIT_SECONDS * 1000; Date.now() < deadline; ) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (server.exitCode !== null) throw error
      await delay(50)
    }
  }
  throw new Error('PostgreSQL did not start.')
}
