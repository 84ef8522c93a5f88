// What `upvane doctor` reads from the database as the service's login, before it switches roles.
import { randomUUID } from 'node:crypto'
import { openDirectClient } from '../core/connect.ts'
import { type Database, SERVICE_ROLES } from '../core/db.ts'
import { announceProcess } from './processes.ts'

type ServiceRoleStatus = {
  name: string
  exists: boolean
  isMember: boolean
  bypasses: boolean
}
type ConnectionStatus = {
  version: string
  login: string
  isEncrypted: boolean
  roles: ServiceRoleStatus[]
}

const QUERY_TIMEOUT_MS = 4_000
const CONNECTION = `
  select current_setting('server_version') as version, current_user as login,
         coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isEncrypted"`
const ROLES = `
  select wanted.name, r.oid is not null as exists,
         coalesce(pg_has_role(current_user, r.oid, 'member'), false) as "isMember",
         coalesce(r.rolsuper or r.rolbypassrls, false) as bypasses
    from unnest($1::text[]) as wanted (name) left join pg_roles r on r.rolname = wanted.name`

/** Fails like every command: unreachable, refused, or through a pooler. */
export async function readConnectionStatus(url: string): Promise<ConnectionStatus> {
  const client = await openDirectClient({
    connectionString: url,
    application_name: 'upvane-doctor',
    query_timeout: QUERY_TIMEOUT_MS,
  })
  try {
    type Row = Omit<ConnectionStatus, 'roles'>
    const { rows } = await client.query<Row>(CONNECTION)
    const { rows: roles } = await client.query<ServiceRoleStatus>(ROLES, [SERVICE_ROLES])
    const [row] = rows
    if (row === undefined) throw new Error('The database showed nothing')
    return { ...row, roles }
  } finally {
    await client.end()
  }
}

/** Thrown to undo what was written. */
class Undone extends Error {}

const UNSEEN = {
  name: 'doctor',
  roles: [],
  version: '',
  region: '',
  settings: {},
  conditions: [],
  reach: 0,
}

/** Writes a row and rolls it back, since reading says nothing about a full disk or a read-only server. Rejects if that fails. */
export async function tryWriting(database: Database): Promise<void> {
  const written = database.transaction(undefined, async (tx) => {
    await announceProcess(tx, { id: randomUUID(), ...UNSEEN }, 1)
    throw new Undone()
  })
  await written.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
}
