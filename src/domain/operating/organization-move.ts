// The content of a file that moves an organization: a manifest, then tables with their rows, then an end with the count
// and checksum. One line each, so that neither side holds more than a line.

export const MOVE_FORMAT = 'upvane-organization-move/2'
const MAX_PEOPLE = 10_000
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const REGION = /^[A-Za-z0-9_-]{1,64}$/
const DAY_LENGTH = '2026-11-16'.length
const KEY = /^[A-Za-z0-9+/]{43}=$/
const NONE = '-'

export type MovedPerson = { uuid: string; email: string; name: string }

export type MoveManifest = {
  format: typeof MOVE_FORMAT
  /** The newest migration of the source. */
  schema: string
  orgId: string
  name: string
  /** The organization's own encryption key, in base64. */
  key: string
  frozenAt: string
  /** The oldest UTC day that a partition is needed for. */
  firstDay: string
  people: MovedPerson[]
}

/** Numbers of monitors and regions differ between installations, so a row names both. */
export type MovedRow = { monitor: string | null; region: string | null; json: string }
export type MoveEnd = { rows: number; sha256: string }
type MoveLine =
  | { kind: 'TABLE'; table: string }
  | { kind: 'ROW'; row: MovedRow }
  | { kind: 'END'; end: MoveEnd }

export const toTableLine = (table: string): string => `T\t${table}`
export const toEndLine = ({ rows, sha256 }: MoveEnd): string => `E\t${rows}\t${sha256}`
export const toRowLine = ({ monitor, region, json }: MovedRow): string =>
  `R\t${monitor ?? NONE}\t${region ?? NONE}\t${json}`

/** Undefined if it is not a line of such a file. */
export function parseMoveLine(line: string): MoveLine | undefined {
  const [kind, first = '', second = ''] = line.split('\t', 3)
  if (kind === 'T') return { kind: 'TABLE', table: first }
  if (kind === 'E') {
    const rows = Number(first)
    return Number.isSafeInteger(rows) ? { kind: 'END', end: { rows, sha256: second } } : undefined
  }
  const json = line.slice(`R\t${first}\t${second}\t`.length)
  const isRow = kind === 'R' && json.startsWith('{')
  if (!isRow || !isNameOr(UUID, first) || !isNameOr(REGION, second)) return undefined
  return { kind: 'ROW', row: { monitor: toName(first), region: toName(second), json } }
}

const isNameOr = (pattern: RegExp, text: string): boolean => text === NONE || pattern.test(text)
const toName = (text: string): string | null => (text === NONE ? null : text)

/** Undefined if it is not a manifest that this version can read. */
export function parseManifest(line: string): MoveManifest | undefined {
  let given: unknown
  try {
    given = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof given !== 'object' || given === null) return undefined
  const manifest = given as Partial<Record<keyof MoveManifest, unknown>>
  const texts = [
    [manifest.orgId, UUID],
    [manifest.key, KEY],
  ] as const
  const isSound =
    manifest.format === MOVE_FORMAT &&
    typeof manifest.schema === 'string' &&
    typeof manifest.name === 'string' &&
    typeof manifest.frozenAt === 'string' &&
    texts.every(([text, pattern]) => typeof text === 'string' && pattern.test(text)) &&
    isDay(manifest.firstDay) &&
    isPeople(manifest.people)
  return isSound ? (given as MoveManifest) : undefined
}

function isDay(given: unknown): boolean {
  const isLong = typeof given === 'string' && given.length === DAY_LENGTH
  return isLong && !Number.isNaN(Date.parse(given))
}

function isPeople(given: unknown): boolean {
  return Array.isArray(given) && given.length <= MAX_PEOPLE && given.every(isPerson)
}

function isPerson(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false
  const { uuid, email, name } = given as Partial<Record<keyof MovedPerson, unknown>>
  return (
    typeof uuid === 'string' &&
    UUID.test(uuid) &&
    typeof email === 'string' &&
    typeof name === 'string'
  )
}

export type TableReference = { from: string; to: string }

/** Every table after those that it refers to. Tables in a circle could not be filled in any order: then it throws. */
export function orderByReferences(
  tables: readonly string[],
  references: readonly TableReference[],
): string[] {
  const left = new Set(tables)
  const isFree = (table: string) =>
    !references.some(({ from, to }) => from === table && to !== table && left.has(to))
  const ordered: string[] = []
  while (left.size > 0) {
    const free = [...left].filter(isFree)
    if (free.length === 0) throw new Error(`Tables refer to each other: ${[...left].join(', ')}`)
    for (const table of free) left.delete(table)
    ordered.push(...free)
  }
  return ordered
}

/** Accounts of the same person have different ids in two installations. Ids are unmistakable wherever they are. */
export function withPeople(json: string, newIds: ReadonlyMap<string, string>): string {
  let text = json
  for (const [before, after] of newIds) text = text.replaceAll(before, after)
  return text
}
