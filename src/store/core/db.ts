// The only access to PostgreSQL: named statements, run for one organization or for the engine.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { outsideOperation } from '../../platform/observability/event-loop-watch.ts'
import type { Work, WorkSignal } from '../../platform/process/work-signal.ts'
import {
  assertOutsideTransaction,
  runInTransactionScope,
} from '../../platform/transaction-scope.ts'
import { copyRows } from '../wire/copy-rows.ts'
import { runPlain } from '../wire/plain-query.ts'
import { ScopedQuery } from '../wire/scoped-query.ts'
import { assertReplicated } from '../wire/unreplicated.ts'
import { withTimeoutCode } from './connect.ts'
import { newUuid } from './new-uuid.ts'
import { openPool, type PoolOptions } from './open-pool.ts'
import { noteDatabaseError } from './outage.ts'

/** SQL text with a name derived from it, so that each connection parses it only once. */
export type Statement = {
  readonly name: string
  readonly text: string
  /** What a commit with it may bring. */
  readonly brings?: Work
}

/** A query does not know whether it runs on its own or inside a transaction; its caller does. */
export type Db = {
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
}

/** An open transaction. Everything in it uses one clock: the database's. */
export type Tx = Db & {
  readonly now: Date
  /** An id that sorts by the time of the transaction, then by creation order. */
  newUuid(): string
  /** Runs COPY … FROM STDIN. The rows must be in the format named in the command. The plain protocol has none. */
  readonly copy?: (text: string, rows: Buffer) => Promise<void>
}

export const SERVICE_ROLES = ['upvane_app', 'upvane_engine', 'upvane_people'] as const
export type DatabaseRole = (typeof SERVICE_ROLES)[number]
/** Fast uses internals of the driver; plain only its documented API. Row-level security is the same. */
export type Protocol = 'fast' | 'plain'
type DatabaseOptions = PoolOptions & {
  role: DatabaseRole
  /** Fast by default. */
  protocol?: Protocol
  /** Called with PostgreSQL's error code when it cannot write: disk full, I/O error, or read-only. */
  onWriteRefused?(code: string): void
  /** Is notified of what commits bring. */
  signal?: WorkSignal | undefined
}

/** Waits until the caller may use a connection. Returns a function that gives the permission back. */
type Admit = (orgId: string | undefined) => Promise<() => void>
type OnWriteRefused = DatabaseOptions['onWriteRefused']
type SharedPool = {
  pool: pg.Pool
  protocol: Protocol
  admit: Admit
  onWriteRefused: OnWriteRefused
  signal: WorkSignal | undefined
}
type ConnectionLease = { client: pg.PoolClient; release(isBroken?: boolean): void }

// Disk full, I/O error, read-only.
const WRITE_REFUSALS: ReadonlySet<string> = new Set(['53100', '58030', '25006'])
const UUID = /^[0-9a-f-]{36}$/
const RUN = { fast: ScopedQuery.run, plain: runPlain }

/** Tagged template for SQL. Interpolate only other fixed fragments, never a value. */
export function sql(parts: TemplateStringsArray, ...fragments: { text: string }[]): Statement {
  const text = String.raw({ raw: parts }, ...fragments.map((fragment) => fragment.text)).trim()
  return { name: createHash('sha1').update(text).digest('base64url').slice(0, 20), text }
}

/** Marks a statement whose commit brings work to a loop of the engine. */
export const bringing = (brings: Work, statement: Statement): Statement => ({
  ...statement,
  brings,
})

export class Database {
  readonly #pool: pg.Pool
  readonly #protocol: Protocol
  readonly #admit: Admit | undefined
  readonly #onWriteRefused: OnWriteRefused
  readonly #signal: WorkSignal | undefined

  constructor(source: DatabaseOptions | SharedPool, onError: (error: Error) => void = () => {}) {
    this.#pool = 'pool' in source ? source.pool : openPool(source, onError)
    this.#protocol = source.protocol ?? 'fast'
    this.#admit = 'pool' in source ? source.admit : undefined
    this.#onWriteRefused = source.onWriteRefused
    this.#signal = source.signal
  }

  /** Shares the same pool, but each connection must first be admitted by `admit`. */
  admittedBy(admit: Admit): Database {
    const [pool, protocol, onWriteRefused] = [this.#pool, this.#protocol, this.#onWriteRefused]
    return new Database({ pool, protocol, admit, onWriteRefused, signal: this.#signal })
  }

  /** Not scoped to an organization: definer functions and the engine's own work. */
  query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    return outsideOperation(this.#runAlone(statement, values))
  }

  /** Reads one organization's rows. Each statement is scoped and runs in one round trip. */
  of(orgId: string): Db {
    return {
      query: (statement, values = []) => outsideOperation(this.#runAlone(statement, values, orgId)),
    }
  }

  async #runAlone<Row>(
    statement: Statement,
    values: readonly unknown[],
    orgId?: string,
  ): Promise<Row[]> {
    const { client, release } = await this.#acquire(orgId)
    try {
      const run = RUN[this.#protocol]
      const rows = await run<Row>(client, statement, values, orgId)
      assertReplicated(client)
      release()
      if (statement.brings !== undefined) this.#signal?.announce([statement.brings])
      return rows
    } catch (error) {
      // Failures are rare here, and the connection's prepared statements are in doubt after one.
      release(true)
      noteDatabaseError(error)
      this.#reportRefusal(error)
      throw withStack(error)
    }
  }

  /** Commits everything `work` writes, or nothing if it throws. */
  async transaction<T>(orgId: string | undefined, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { client, release } = await this.#acquire(orgId)
    // Only about the connection: an error thrown by `work` itself does not break it.
    let broken = false
    const watch = (error: unknown): never => {
      broken ||= isBroken(error)
      noteDatabaseError(error)
      throw error
    }
    try {
      const brought = new Set<Work>()
      const options = { protocol: this.#protocol, watch, brought }
      const tx = await outsideOperation(begin(client, orgId, options)).catch(watch)
      const outcome = await runInTransactionScope(() => work(tx))
      await outsideOperation(client.query('commit')).catch(watch)
      assertReplicated(client)
      this.#signal?.announce(brought)
      return outcome
    } catch (error) {
      broken ||= !(await rolledBack(client))
      this.#reportRefusal(error)
      throw error
    } finally {
      release(broken)
    }
  }

  /** Never inside a transaction: two that each wait for a second connection would deadlock. */
  async #acquire(orgId: string | undefined): Promise<ConnectionLease> {
    assertOutsideTransaction('Taking another connection')
    const leave = await this.#admit?.(orgId)
    try {
      const client = await this.#connect()
      const release = (isBroken = false) => {
        client.release(isBroken)
        leave?.()
      }
      return { client, release }
    } catch (error) {
      leave?.()
      throw error
    }
  }

  #reportRefusal(error: unknown): void {
    const { code = '' } = error instanceof pg.DatabaseError ? error : {}
    if (WRITE_REFUSALS.has(code)) this.#onWriteRefused?.(code)
  }

  #connect(): Promise<pg.PoolClient> {
    return this.#pool.connect().catch((cause: unknown) => {
      const error = withTimeoutCode(cause)
      noteDatabaseError(error)
      throw error
    })
  }

  get stats() {
    const { totalCount, idleCount, waitingCount, options } = this.#pool
    return { open: totalCount, idle: idleCount, waiting: waitingCount, max: options.max }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }
}

type BeginOptions = {
  protocol: Protocol
  watch: (error: unknown) => never
  brought: Set<Work>
}

async function begin(
  client: pg.PoolClient,
  orgId: string | undefined,
  { protocol, watch, brought }: BeginOptions,
): Promise<Tx> {
  if (orgId !== undefined && !UUID.test(orgId)) throw new TypeError('Not an organization id')
  // One round trip: the simple protocol accepts both statements, and the id was just validated.
  const results = (await client.query(
    `begin; select set_config('app.org', '${orgId ?? ''}', true), now() as now`,
  )) as unknown as [pg.QueryResult, pg.QueryResult<{ now: Date }>]
  const now = results[1].rows[0]?.now
  if (now === undefined) throw new Error('The database did not tell its time')
  let ids = 0
  return {
    now,
    newUuid: () => newUuid(now, ids++),
    ...(protocol === 'fast' && {
      copy: async (text: string, rows: Buffer) => {
        try {
          await copyRows(client, text, rows)
        } catch (error) {
          watch(withStack(error))
        }
      },
    }),
    query: async <Row>(statement: Statement, values: readonly unknown[] = []) => {
      if (statement.brings !== undefined) brought.add(statement.brings)
      try {
        return await outsideOperation(RUN[protocol]<Row>(client, statement, values))
      } catch (error) {
        return watch(withStack(error))
      }
    },
  }
}

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  )
}

/** Makes the stack point to the caller instead of the socket that delivered the error. */
function withStack(error: unknown): unknown {
  if (error instanceof Error) Error.captureStackTrace(error, withStack)
  return error
}

/** PostgreSQL's own errors leave the connection usable, except class 57. Any other error may have broken it. */
function isBroken(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.code?.startsWith('57') === true
}

/** PostgreSQL rejected the data or the statement, so a retry would fail too. */
export function isDataError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(22|23|42)/.test(error.code ?? '')
}

/** This transaction was canceled to resolve a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40P01'
}
