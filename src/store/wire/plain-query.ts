// The same as scoped-query.ts with nothing but the documented API of pg, at four round trips for a scoped statement: for
// a version of pg with which our use of its internals was not verified.
import type pg from 'pg'
import { BatchColumn } from './batch-values.ts'

const SCOPE = `select set_config('app.org', $1, true)`

type Statement = { name: string; text: string }

/**
 * Runs a named statement. With an organization, it runs inside its scope, in its own transaction. After an error the
 * connection must be closed, which ends the transaction.
 */
export async function runPlain<Row>(
  client: pg.ClientBase,
  statement: Statement,
  values: readonly unknown[],
  orgId?: string,
): Promise<Row[]> {
  if (orgId === undefined) return send<Row>(client, statement, values)
  await client.query('begin')
  await client.query(SCOPE, [orgId])
  const rows = await send<Row>(client, statement, values)
  await client.query('commit')
  return rows
}

async function send<Row>(
  client: pg.ClientBase,
  { name, text }: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const plain = values.map((value) => (value instanceof BatchColumn ? value.values : value))
  return (await client.query({ name, text, values: plain })).rows as Row[]
}
