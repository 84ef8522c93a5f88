// One page of a list, with the number of all that match, from one snapshot.
import { type Db, type Statement, sql } from './db.ts'

type Fragment = { readonly text: string }
type PageParts = {
  /** With its alias: `incidents i`. */
  table: string
  matching: Fragment
  columns: Fragment
  /** The newest by this column first. */
  by?: string
  joined?: string
}

/** Its first values are the organization, the limit and the offset. */
export function pageOf({
  table,
  matching,
  columns,
  by = 'created_at',
  joined = '',
}: PageParts): Statement {
  const [from, as] = [{ text: table }, { text: table.slice(table.indexOf(' ') + 1) }]
  const order = sql`${as}.${{ text: by }} desc, ${as}.id desc`
  return sql`
    with page as (
      select ${as}.id from ${from} where ${matching} order by ${order} limit $2 offset $3
    ), total as (
      select count(*) as total from ${from} where ${matching}
    )
    select total.total, ${columns}
      from total left join (
        page join ${from} on ${as}.org_id = $1 and ${as}.id = page.id ${{ text: joined }}) on true
     order by ${order}`
}

/** A page without rows still has its total. */
export async function readPage<Row extends { uuid: string }>(
  db: Db,
  statement: Statement,
  values: readonly unknown[],
): Promise<{ total: number; rows: Row[] }> {
  type Read = { total: number } & (Row | { uuid: null })
  const read = await db.query<Read>(statement, values)
  return {
    total: read[0]?.total ?? 0,
    rows: read.filter((row): row is { total: number } & Row => row.uuid !== null),
  }
}
