// A slow backup: a real pg_dump, whose output is read only after a while.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { getPostgresFolder } from '../../../tools/services/executables.ts'

// Larger than all buffers between pg_dump and its reader, and incompressible.
const FILLER_ROWS = 20_000
const FILLER = `
  create schema filler;
  create table filler.rows as
    select n, string_agg(md5(n::text || m::text), '') as noise
      from generate_series(1, ${FILLER_ROWS}) n, generate_series(1, 16) m group by n;
  grant usage on schema filler to upvane_owner;
  grant select on filler.rows to upvane_owner`
const START_TIMEOUT_MS = 10_000
const POLL_MS = 50

type Dump = { tookMs: number; bytes: number; code: number | null }

export async function addFiller(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(FILLER)
  await client.end()
}

/** Resolves once pg_dump holds its locks; `ended` once it is done, at least `seconds` later. */
export async function startSlowDump(
  databaseUrl: string,
  seconds: number,
): Promise<{ ended: Promise<Dump> }> {
  const program = join(getPostgresFolder(), 'pg_dump')
  const startedMs = performance.now()
  const child = spawn(program, ['--dbname', databaseUrl], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  await untilLocked(databaseUrl)
  const ended = (async () => {
    await sleep(seconds * 1000)
    let bytes = 0
    for await (const chunk of child.stdout) bytes += (chunk as Buffer).length
    await exited
    return { tookMs: performance.now() - startedMs, bytes, code: child.exitCode }
  })()
  return { ended }
}

async function untilLocked(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (let waitedMs = 0; waitedMs < START_TIMEOUT_MS; waitedMs += POLL_MS) {
      const { rows } = await client.query(
        `select from pg_locks l join pg_stat_activity a using (pid)
          where a.application_name = 'pg_dump' and l.relation = 'public.monitor_states'::regclass`,
      )
      if (rows.length > 0) return
      await sleep(POLL_MS)
    }
    throw new Error('pg_dump did not lock anything')
  } finally {
    await client.end()
  }
}
