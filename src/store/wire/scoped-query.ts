import pg from 'pg'
import { BatchColumn } from './batch-values.ts'
import { types } from './wire-values.ts'

// Row-level security needs `app.org` set inside the transaction of each query. Sending begin, set_config, select and
// commit takes four round trips. Here set_config and the query share one Sync, so PostgreSQL runs them as one implicit
// transaction, and the setting ends with it.
//
// A prepared statement's columns cannot change, so each connection describes them once. pg describes them on every run,
// which for one wide row costs both sides more than the row itself.

const SCOPE = { name: 'scope', text: `select set_config('app.org', $1, true)` }

type Field = { name: string; dataTypeID: number; format?: 'text' | 'binary' }
type Connection = {
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: string[] }): void
  execute(message: { portal: string }): void
  describe(message: object): void
}

// The hooks below are pg's documented way to submit a query object, but its types omit them.
type Submitted = {
  name: string
  callback(error: unknown, rows?: unknown[]): void
  prepare(connection: Connection): void
  handleRowDescription(message: { fields: Field[] }): void
  handleDataRow(message: { fields: (string | null)[] }): void
  handleCommandComplete(message: object, connection: Connection): void
  handleReadyForQuery(connection: Connection): void
}
const Query = pg.Query as unknown as {
  new (text: string, values: readonly unknown[], callback: unknown): Submitted & pg.Submittable
  prototype: Submitted
}

type Shape = { names: string[]; parsers: ((text: string) => unknown)[]; empty: object }
type ConnectionCache = { shapes: Map<string, Shape>; silent: Connection }

const cacheByConnection = new WeakMap<Connection, ConnectionCache>()

export class ScopedQuery extends Query {
  readonly #orgId: string | undefined
  readonly #rows: unknown[] = []
  #shapes: Map<string, Shape> | undefined
  #shape: Shape | undefined
  #awaitsScope: boolean
  #fault: unknown

  private constructor(
    statement: { name: string; text: string },
    values: readonly unknown[],
    orgId: string | undefined,
    callback: unknown,
  ) {
    super(statement.text, values, callback)
    this.name = statement.name
    this.#orgId = orgId
    this.#awaitsScope = orgId !== undefined
  }

  /** Runs a named statement. With an organization, it runs inside its scope, in its own transaction. */
  static run<Row>(
    client: pg.ClientBase,
    statement: { name: string; text: string },
    values: readonly unknown[],
    orgId?: string,
  ): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const done = (error: unknown, rows: Row[]) => (error ? reject(error) : resolve(rows))
      const sent = values.map((value) => (value instanceof BatchColumn ? value.encode() : value))
      client.query(new ScopedQuery(statement, sent, orgId, done) as pg.Submittable)
    })
  }

  override prepare(connection: Connection): void {
    if (this.#orgId !== undefined) sendScope(connection, this.#orgId)
    const { shapes, silent } = cacheOf(connection)
    this.#shapes = shapes
    this.#shape = shapes.get(this.name)
    super.prepare(this.#shape === undefined ? connection : silent)
  }

  override handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#shape = toShape(fields)
    this.#shapes?.set(this.name, this.#shape)
  }

  // The first row is the result of set_config, which no caller needs.
  override handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#awaitsScope || this.#shape === undefined) return
    try {
      this.#rows.push(toRow(this.#shape, fields))
    } catch (error) {
      // An error thrown here would end the process, and the connection must read to the end.
      this.#fault = error
    }
  }

  override handleCommandComplete(): void {
    this.#awaitsScope = false
  }

  override handleReadyForQuery(): void {
    this.callback(this.#fault ?? null, this.#rows)
  }
}

function sendScope(connection: Connection, orgId: string): void {
  if (connection.submittedNamedStatements[SCOPE.name] === undefined) {
    connection.parse(SCOPE)
    connection.submittedNamedStatements[SCOPE.name] = SCOPE.text
  }
  connection.bind({ statement: SCOPE.name, values: [orgId] })
  connection.execute({ portal: '' })
}

function cacheOf(connection: Connection): ConnectionCache {
  const cached = cacheByConnection.get(connection)
  if (cached !== undefined) return cached
  // Behaves like the connection, except that it requests no description.
  const silent: Connection = Object.create(connection, { describe: { value: () => {} } })
  const fresh = { shapes: new Map<string, Shape>(), silent }
  cacheByConnection.set(connection, fresh)
  return fresh
}

function toShape(fields: readonly Field[]): Shape {
  return {
    names: fields.map(({ name }) => name),
    parsers: fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text')),
    empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
  }
}

function toRow({ names, parsers, empty }: Shape, values: readonly (string | null)[]): object {
  const row: Record<string, unknown> = { ...empty }
  for (const [i, value] of values.entries())
    if (value !== null) row[names[i] ?? ''] = parsers[i]?.(value)
  return row
}
