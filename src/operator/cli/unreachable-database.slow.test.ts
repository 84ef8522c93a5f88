import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { openClient } from '../../store/core/connect.ts'
import { Database, sql } from '../../store/core/db.ts'
import { operatorFault } from './operator-fault.ts'

const WITHIN_MS = 9000

test('a database that accepts and never answers cannot be reached, soon and in one sentence', async () => {
  const sockets: Socket[] = []
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const url = `postgres://upvane@127.0.0.1:${address.port}/upvane`
  const database = new Database({ url, role: 'upvane_engine', connections: 1 }, () => {})
  const startMs = performance.now()
  const failures = await Promise.all([
    openClient({ connectionString: url }).catch((error: unknown) => error),
    database.query(sql`select 1`).catch((error: unknown) => error),
  ])
  const tookMs = performance.now() - startMs
  for (const failure of failures)
    assert.match(
      operatorFault(failure) ?? String(failure),
      /^The database cannot be reached\. .*\(no answer within 5 s\)$/,
    )
  assert.ok(tookMs < WITHIN_MS, `${tookMs} ms`)
  await database.close()
  for (const socket of sockets) socket.destroy()
  server.close()
})
