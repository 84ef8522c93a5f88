import pg from 'pg'

// Row level security wants `app.org` set inside the transaction of each query. Sent as begin, set_config,
// select, commit that is four round trips for one row. Here set_config and the query go out together
// before one Sync: PostgreSQL runs them as one implicit transaction, which ends the setting with it.

const SCOPE = { name: 'scope', text: `select set_config('app.org', $1, true)` }

type Connection = {
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: string[] }): void
  execute(message: { portal: string }): void
}
type Message = { fields: unknown }

// The hooks below are pg's documented way to submit a query object, but its types do not list them.
type Submitted = {
  prepare(connection: Connection): void
  handleRowDescription(message: Message): void
  handleDataRow(message: Message): void
  handleCommandComplete(message: Message, connection: Connection): void
}
const Query = pg.Query as unknown as {
  new (config: object, values: unknown, callback: unknown): Submitted & pg.Submittable
  prototype: Submitted
}

export class ScopedQuery extends Query {
  readonly #orgId: string
  #scoped = false

  private constructor(orgId: string, config: object, callback: unknown) {
    super(config, undefined, callback)
    this.#orgId = orgId
  }

  static run<Row>(
    client: pg.PoolClient,
    orgId: string,
    statement: { name: string; text: string },
    values: readonly unknown[],
  ): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const config = { ...statement, values: [...values] }
      const done = (error: Error | null, result: pg.QueryResult) =>
        error ? reject(error) : resolve(result.rows as Row[])
      client.query(new ScopedQuery(orgId, config, done) as pg.Submittable)
    })
  }

  override prepare(connection: Connection): void {
    if (connection.submittedNamedStatements[SCOPE.name] === undefined) {
      connection.parse(SCOPE)
      connection.submittedNamedStatements[SCOPE.name] = SCOPE.text
    }
    connection.bind({ statement: SCOPE.name, values: [this.#orgId] })
    connection.execute({ portal: '' })
    super.prepare(connection)
  }

  // set_config is executed without being described: what arrives before the first row description is its answer.
  override handleRowDescription(message: Message): void {
    this.#scoped = true
    super.handleRowDescription(message)
  }

  override handleDataRow(message: Message): void {
    if (this.#scoped) super.handleDataRow(message)
  }

  override handleCommandComplete(message: Message, connection: Connection): void {
    if (this.#scoped) super.handleCommandComplete(message, connection)
  }
}
