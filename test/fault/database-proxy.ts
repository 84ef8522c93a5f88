// A proxy between a process and its database, which can cut the connection at the moment a commit is reported.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { findFreePort } from '../../tools/services/ports.ts'

/** The tag with which PostgreSQL reports a committed transaction. */
const COMMITTED = Buffer.from('COMMIT\0')

type DatabaseProxy = {
  /** The given URL, routed through this proxy. */
  through(databaseUrl: string): string
  /** Resolves when the database has reported the next commit; the report itself is dropped. */
  holdNextCommit(): Promise<void>
  close(): Promise<void>
}

export async function startDatabaseProxy(databasePort: number): Promise<DatabaseProxy> {
  const port = await findFreePort()
  const sockets = new Set<Socket>()
  let onCommit: (() => void) | undefined
  const server = createServer((near) => {
    const far = connect(databasePort, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.on('data', (chunk: Buffer) => {
      if (onCommit === undefined || !chunk.includes(COMMITTED)) return void near.write(chunk)
      const report = onCommit
      onCommit = undefined
      return report()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    through(databaseUrl) {
      const url = new URL(databaseUrl)
      url.port = String(port)
      return url.href
    },
    holdNextCommit() {
      const { promise, resolve } = Promise.withResolvers<void>()
      onCommit = resolve
      return promise
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
