// Checks UPGRADE.md against the migrations: each one is described, with the tables it locks and how to roll back.
import { readMigrationLocks } from '../../src/domain/operating/migration-locks.ts'

export type Migration = { number: number; sql: string }
type Row = { numbers: number[]; locks: string; rollback: string }

const ROW = /^\| (\d{4})(?: to (\d{4}))? \|([^|]{1,400})\|([^|]{1,400})\|$/gm
const SECTION = /^## (\d{1,4}\.\d{1,4}\.\d{1,4})$/gm
const CREATED = /\bcreate (?:unlogged )?table (?:if not exists )?([a-z_]{1,63})/gi

/** Every problem as a sentence. `version` must have its own section. */
export function findUpgradeProblems(
  notes: string,
  version: string,
  migrations: readonly Migration[],
): string[] {
  const rows = readRows(notes)
  const versions = [...notes.matchAll(SECTION)].map((match) => match[1])
  const known = new Set(migrations.map(({ number }) => number))
  return [
    ...(versions.includes(version) ? [] : [`UPGRADE.md has no section "## ${version}".`]),
    ...rows
      .flatMap(({ numbers }) => numbers)
      .filter((number) => !known.has(number))
      .map((number) => `UPGRADE.md describes migration ${named(number)}, which does not exist.`),
    ...migrations.flatMap((migration) => problemsOf(migration, rows, migrations)),
  ]
}

function problemsOf(
  migration: Migration,
  rows: readonly Row[],
  all: readonly Migration[],
): string[] {
  const name = named(migration.number)
  const row = rows.find(({ numbers }) => numbers.includes(migration.number))
  if (row === undefined)
    return [`UPGRADE.md says nothing about migration ${name}: which tables it locks, the way back.`]
  const problems: string[] = []
  if (!/^(?:safe|not safe)\b/.test(row.rollback))
    problems.push(`UPGRADE.md, ${name}: the way back must start with "safe" or "not safe".`)
  // The first release's schema is one row for all its tables.
  if (row.numbers.length > 1) return problems
  for (const table of lockedTables(migration, all))
    if (!row.locks.includes(`\`${table}\``))
      problems.push(`UPGRADE.md, ${name}: it locks ${table}, which the row does not name.`)
  return problems
}

/** Only tables that an earlier migration created: new ones block no one. */
function lockedTables({ number, sql }: Migration, all: readonly Migration[]): string[] {
  const earlier = all.filter((other) => other.number < number)
  const existing = new Set(
    earlier.flatMap((other) => [...other.sql.matchAll(CREATED)].map((match) => match[1])),
  )
  const { locks } = readMigrationLocks(sql)
  return locks.map(({ table }) => table).filter((table) => existing.has(table))
}

function readRows(notes: string): Row[] {
  return [...notes.matchAll(ROW)].map(([, first = '', last = first, locks = '', rollback = '']) => {
    const count = Number(last) - Number(first) + 1
    const numbers = Array.from({ length: count }, (_, index) => Number(first) + index)
    return { numbers, locks: locks.trim(), rollback: rollback.trim() }
  })
}

function named(number: number): string {
  return String(number).padStart(4, '0')
}
