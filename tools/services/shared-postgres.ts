// Databases on one PostgreSQL that many test files share: creating a database costs a fifth of starting a server. The test
// runner starts the server and names it in the environment; without it, every file starts its own.
import { randomBytes } from 'node:crypto'
import { databasesAt, type Postgres } from './postgres.ts'

const VARIABLE = 'TEST_POSTGRES'

type Address = Pick<Postgres, 'port' | 'directory' | 'pid'>

/** For the environment of test processes. */
export const nameShared = ({ port, directory, pid }: Postgres): Record<string, string> => ({
  [VARIABLE]: JSON.stringify({ port, directory, pid } satisfies Address),
})

/** A part of the shared server, if there is one: databases under the names that the file gives them. Only those of the
 * server, such as templates, have the same name for all. Stopping drops the file's databases. */
export function openShared(): Postgres | undefined {
  const text = process.env[VARIABLE]
  if (text === undefined) return undefined
  const { port, directory, pid } = JSON.parse(text) as Address
  const server = databasesAt(port)
  const prefix = `t${randomBytes(6).toString('hex')}_`
  const own = new Set<string>()
  return {
    ...server,
    directory,
    pid,
    databaseUrl: (name, user) => server.databaseUrl(prefix + name, user),
    async createDatabase(name, { template = 'template1' } = {}) {
      own.add(name)
      await server.createDatabase(prefix + name, { template })
    },
    async dropDatabase(name) {
      own.delete(name)
      await server.dropDatabase(prefix + name)
    },
    kill: () => refuse('kill'),
    freeze: () => refuse('freeze'),
    thaw: () => refuse('thaw'),
    copyData: () => refuse('copyData'),
    restart: () => refuse('restart'),
    async stop() {
      for (const name of own) await server.dropDatabase(prefix + name)
      own.clear()
    },
  }
}

function refuse(what: string): never {
  throw new Error(`${what} would reach the tests of other files: this one needs its own server.`)
}
