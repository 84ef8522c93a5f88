// Parts of statements that follow from a table of fields or a list of columns.
import { columnName, type Fields, namesOf } from '../../domain/fields/field.ts'
import { type Db, sql } from './db.ts'

/** The column of each field, in the order of the table. */
export function columnsOf<F extends Fields>(
  fields: F,
): { name: keyof F & string; column: string }[] {
  return namesOf(fields).map((name) => {
    const { column = columnName(name) } = fields[name] as Fields[string]
    return { name, column }
  })
}

/** Selects fields from the table with this alias, named as in the domain. */
export function selectFields(alias: string, fields: Fields): { text: string } {
  const selected = columnsOf(fields).map(({ name, column }) => `${alias}.${column} as "${name}"`)
  return { text: selected.join(', ') }
}

/** The parts of an insert and an update whose parameters from `$first` on are the values of these columns. */
export function parametersOf(columns: readonly string[], first: number) {
  const numbered = columns.map((column, index) => ({ column, parameter: `$${first + index}` }))
  return {
    columns: { text: columns.join(', ') },
    values: { text: numbered.map(({ parameter }) => parameter).join(', ') },
    assignments: {
      text: numbered.map(({ column, parameter }) => `${column} = ${parameter}`).join(', '),
    },
  }
}

/** The columns of rows that a statement gets: the type of each, and its value in a row. */
type Columns<Row> = Readonly<Record<string, readonly [type: string, value: (row: Row) => unknown]>>

/**
 * Rows as a table `u` of a statement. `values` are its parameters, from `$first` on: one array for each column, so that
 * the statement has the same text for any number of rows.
 */
export function rowsOf<Row>(columns: Columns<Row>, first = 1) {
  const names = Object.keys(columns).join(', ')
  const entries = Object.values(columns)
  const arrays = entries.map(([type], index) => `$${first + index}::${type}[]`)
  return {
    text: `unnest(${arrays.join(', ')}) as u (${names})`,
    columns: { text: names },
    values: (rows: readonly Row[]): unknown[][] => entries.map(([, value]) => rows.map(value)),
  }
}

/** A function that inserts rows in one statement. `onConflict` ends it. */
export function insertMany<Row>(table: string, columns: Columns<Row>, onConflict = { text: '' }) {
  const given = rowsOf(columns)
  const target = { text: table }
  const INSERT = sql`
    insert into ${target} (${given.columns}) select u.* from ${given} ${onConflict}`
  return async (db: Db, rows: readonly Row[]): Promise<void> => {
    if (rows.length > 0) await db.query(INSERT, given.values(rows))
  }
}
