// The settings of the other tool that nothing has read. Each is named in the report: none is lost in silence.
import type { ItemDraft } from './draft.ts'
import { type SourceRow, toShownText } from './values.ts'

export type SettingRules = {
  /** What the other tool keeps for itself: ids, dates and what it has measured. */
  own?: ReadonlySet<string>
  /** Values that mean nothing was chosen, by setting. Without them, these are empty values, false and 0. */
  defaults?: Readonly<Record<string, readonly unknown[]>>
  /** Texts that may be shown, because they are never secret. */
  shown?: ReadonlySet<string>
  /** Where a better reason is known. */
  whys?: Readonly<Record<string, string>>
}

const MAX_REPORTED = 200
const MAX_FIELD = 100
const MAX_DEPTH = 5
const EMPTY: ReadonlySet<string> = new Set(['', 'null', '[]', '{}', '0', 'false'])
const MAYBE_SECRET = /pass|secret|token|key|auth|pin|code|credential/i
const NOT_IMPORTED = 'This setting is not imported.'

/** A row that remembers what was read from it. */
export class WatchedRow {
  /** To read from. */
  readonly row: SourceRow
  readonly #source: SourceRow
  readonly #read = new Set<string>()

  constructor(source: SourceRow) {
    this.#source = source
    this.row = new Proxy(source, {
      get: (target, name, receiver): unknown => {
        if (typeof name === 'string') this.#read.add(name)
        return Reflect.get(target, name, receiver)
      },
    })
  }

  /** Settings that say nothing here: of a kind that this item does not have. */
  skip(...names: readonly string[]): void {
    for (const name of names) this.#read.add(name)
  }

  unread(): [name: string, value: unknown][] {
    return Object.keys(this.#source)
      .filter((name) => !this.#read.has(name))
      .map((name) => [name, this.#source[name]])
  }
}

/** `within` is where in the item the row is: `client` of an endpoint. */
export function reportUnread(
  draft: ItemDraft,
  watched: WatchedRow,
  rules: SettingRules,
  within = '',
): void {
  const lost = watched.unread().filter(([name, value]) => isLost(name, value, rules))
  const prefix = within === '' ? '' : `${within}.`
  for (const [name, value] of lost.slice(0, MAX_REPORTED)) {
    const why = ownOf(rules.whys, name) ?? NOT_IMPORTED
    const field = `${prefix}${name}`.slice(0, MAX_FIELD).toWellFormed()
    draft.drop(field, toSafeText(name, value, rules), why)
  }
  if (lost.length > MAX_REPORTED)
    draft.drop(within || 'settings', `${lost.length - MAX_REPORTED} more settings`, NOT_IMPORTED)
}

function isLost(name: string, value: unknown, { own, defaults }: SettingRules): boolean {
  if (value === null || value === undefined || value === '' || has(own, name)) return false
  const usual = ownOf(defaults, name)
  if (usual === undefined) return !isEmpty(value, MAX_DEPTH)
  return !usual.some((one) => toComparable(one) === toComparable(value))
}

/** A database has push_token, an export of the same tool pushToken. Rules need only the former. */
const spellingsOf = (name: string): string[] => [
  name,
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
]

const has = (names: ReadonlySet<string> | undefined, name: string): boolean =>
  spellingsOf(name).some((each) => names?.has(each) === true)

function ownOf<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  const found = spellingsOf(name).find((each) => table !== undefined && Object.hasOwn(table, each))
  return found === undefined ? undefined : table?.[found]
}

function isEmpty(value: unknown, depth: number): boolean {
  if (typeof value === 'object' && value !== null && depth > 0)
    return Object.values(value).every((each) => isEmpty(each, depth - 1))
  return EMPTY.has(toShownText(value).trim())
}

function toComparable(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  const text = toShownText(value).trim()
  return text === 'true' ? '1' : text === 'false' ? '0' : text
}

/** Texts are only shown where they are known to be harmless: anything else may be a secret. */
function toSafeText(name: string, value: unknown, { shown }: SettingRules): string {
  const isShort = typeof value === 'number' || typeof value === 'boolean'
  const isHarmless = has(shown, name) || (isShort && !MAYBE_SECRET.test(name))
  return isHarmless ? toShownText(value) : 'a value'
}
