// Which tables a migration locks, read from its SQL, so that the locks can be announced and acquired in advance.

/** From strong to weak: the first blocks reads and writes, the others only writes. */
const LOCK_MODES = ['ACCESS EXCLUSIVE', 'SHARE ROW EXCLUSIVE', 'SHARE'] as const
export type LockMode = (typeof LOCK_MODES)[number]

/** Work that takes time while the locks are held. Everything else only changes the catalog. */
export type WorkKind = 'SCAN' | 'WRITE' | 'INDEX'

type MigrationLocks = {
  locks: { table: string; mode: LockMode }[]
  work: { table: string; kind: WorkKind }[]
  /** Only the database knows which tables they belong to. */
  droppedIndexes: string[]
  /** Dropping a table also locks the tables it references. */
  droppedTables: string[]
}

const TABLE = '(?:public\\.)?([a-z_][a-z0-9_]*)'
const FUNCTION_BODY = /(create (?:or replace )?(?:function|procedure)\b[^$;]*)(\$\w*\$)[\s\S]*?\2/gi

// biome-ignore format: a table is read by its columns
const LOCK_RULES: readonly (readonly [pattern: RegExp, mode: LockMode])[] = [
  // Setting storage parameters does not block reads or writes.
  [pattern(`^alter table (?:if exists )?(?:only )?${TABLE}\\b(?! set \\()`),                      'ACCESS EXCLUSIVE'],
  [pattern(`^drop table (?:if exists )?${TABLE}`),                                 'ACCESS EXCLUSIVE'],
  [pattern(`^truncate (?:table )?${TABLE}`),                                       'ACCESS EXCLUSIVE'],
  [pattern(`^(?:create|drop|alter) policy .*? on ${TABLE}`),                       'ACCESS EXCLUSIVE'],
  [pattern(`^drop trigger .*? on ${TABLE}`),                                       'ACCESS EXCLUSIVE'],
  [pattern(`^call protect_tenant_table\\('${TABLE}'`),                             'ACCESS EXCLUSIVE'],
  [pattern(`^create (?:or replace )?(?:constraint )?trigger .*? on ${TABLE}`),     'SHARE ROW EXCLUSIVE'],
  [pattern(`\\breferences ${TABLE}`),                                              'SHARE ROW EXCLUSIVE'],
  [pattern(`^create (?:unique )?index (?!concurrently).*? on (?:only )?${TABLE}`), 'SHARE'],
]

// biome-ignore format: a table is read by its columns
const WORK_RULES: readonly (readonly [pattern: RegExp, kind: WorkKind])[] = [
  [pattern(`^alter table (?:only )?${TABLE}\\b.*\\b(?:add (?:check|constraint|foreign key)|set not null|validate)\\b`), 'SCAN'],
  [pattern(`^alter table (?:only )?${TABLE}\\b.*\\balter column \\w+ (?:set data )?type\\b`),                           'WRITE'],
  [pattern(`^update (?:only )?${TABLE}`),                                                                              'WRITE'],
  [pattern(`^delete from (?:only )?${TABLE}`),                                                                         'WRITE'],
  [pattern(`^create temporary table .* from ${TABLE}`),                                                                'WRITE'],
  [pattern(`^create (?:unique )?index .*? on (?:only )?${TABLE}`),                                                     'INDEX'],
]

const DROPPED_INDEX = pattern(`^drop index (?:if exists )?${TABLE}`)
const DROPPED_TABLE = pattern(`^drop table (?:if exists )?${TABLE}`)

/** Includes tables that the migration itself creates. Only tables that already exist matter to the caller. */
export function readMigrationLocks(text: string): MigrationLocks {
  const statements = toStatements(text)
  const strongest = new Map<string, LockMode>()
  for (const [table, mode] of matches(statements, LOCK_RULES)) {
    const known = strongest.get(table)
    if (known === undefined || isStronger(mode, known)) strongest.set(table, mode)
  }
  return {
    locks: [...strongest].map(([table, mode]) => ({ table, mode })),
    work: matches(statements, WORK_RULES).map(([table, kind]) => ({ table, kind })),
    droppedIndexes: matches(statements, [[DROPPED_INDEX, '']]).map(([name]) => name),
    droppedTables: matches(statements, [[DROPPED_TABLE, '']]).map(([name]) => name),
  }
}

export function isStronger(mode: LockMode, than: LockMode): boolean {
  return LOCK_MODES.indexOf(mode) < LOCK_MODES.indexOf(than)
}

const BYTES_PER_SECOND: Record<WorkKind, number> = { SCAN: 100e6, WRITE: 20e6, INDEX: 25e6 }

/** A rough estimate for current hardware, rounded up. It answers "now, or at night?". */
export function estimateSeconds(work: readonly { kind: WorkKind; bytes: number }[]): number {
  return Math.ceil(work.reduce((sum, { kind, bytes }) => sum + bytes / BYTES_PER_SECOND[kind], 0))
}

function pattern(text: string): RegExp {
  return new RegExp(text, 'gi')
}

/** Functions are created, not run: their bodies lock nothing. */
function toStatements(text: string): string[] {
  const code = text.replaceAll(/--[^\n]*/g, '').replaceAll(FUNCTION_BODY, '$1')
  return [...code.split(';'), ...loopedTables(code).map((table) => `alter table ${table}`)]
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')
}

/** A block that runs the same statement for a list of tables alters each of them. */
function loopedTables(code: string): string[] {
  const lists = [...code.matchAll(/\bforeach \w+ in array array\[([^\]]*)\]/gi)]
  return lists.flatMap(([, list = '']) =>
    [...list.matchAll(/'(\w+)'/g)].map(([, name = '']) => name),
  )
}

function matches<T>(
  statements: readonly string[],
  rules: readonly (readonly [RegExp, T])[],
): [name: string, value: T][] {
  return statements.flatMap((statement) =>
    rules.flatMap(([rule, value]) =>
      [...statement.matchAll(rule)].map(([, name = '']): [string, T] => [name, value]),
    ),
  )
}
