// Answers that cannot have changed. An idle product polls some twenty times a second, and a simulated day has 86,400 of
// them: a statement that depends on nothing but tables nobody wrote to since gets the answer it got before.
import { type Message, messagesIn, textAt } from './postgres-messages.ts'

export type Schema = {
  tables: ReadonlySet<string>
  /** Views and functions may read or write anything. */
  opaque: ReadonlySet<string>
  /** Every write to these may write to others. */
  withTriggers: ReadonlySet<string>
  /** Deleting from these may write to others. */
  withDependents: ReadonlySet<string>
}

type Nature = {
  isStable: boolean
  changes: number
  tables: readonly string[]
  /** What it writes may reach tables that it does not name. */
  isWide: boolean
}
type Answer = { response: Buffer; version: string }

const LOCKING = /\b(?:for (?:no key )?update|do update)\b/g
const CHANGES = /\b(?:insert into|update|delete from|merge into|truncate|copy)\b/g
const UNSTABLE =
  /\b(?:now|random|nextval|set_config|current_\w+|gen_\w+|\w+_timestamp|pg_\w+|txid_\w+|xmin|xmax|ctid)\b/
const HARMLESS = /^\s*(?:begin|commit|rollback|set )/i
const NOTHING_CHANGED = /^(?:UPDATE|DELETE|SELECT|MERGE) 0$|^INSERT 0 0$/
const MAX_ANSWERS = 20_000
const NONE: ReadonlySet<string> = new Set()

export class Remembered {
  readonly #schema: Schema
  readonly #natures = new Map<string, Nature>()
  readonly #answers = new Map<string, Answer>()
  readonly #versions = new Map<string, number>()
  #version = 0
  used = 0

  constructor(schema: Schema) {
    this.#schema = schema
  }

  /** Undefined if the statement must run. */
  find(key: string, text: string): Buffer | undefined {
    const answer = this.#answers.get(key)
    if (answer?.version !== this.#versionOf(this.#natureOf(text))) return undefined
    this.used += 1
    return answer.response
  }

  isStable(text: string): boolean {
    return this.#natureOf(text).isStable
  }

  /** The statement ran outside of a transaction. */
  keep(key: string, text: string, response: Buffer): void {
    const nature = this.#natureOf(text)
    const mayKeep = nature.changes === 0 || (nature.changes === 1 && hasChangedNothing(response))
    if (!nature.isStable || !mayKeep) return
    if (this.#answers.size >= MAX_ANSWERS) this.#answers.clear()
    this.#answers.set(key, { response, version: this.#versionOf(nature) })
  }

  /** Something ran: what it may have changed is no longer known. */
  ran(texts: readonly string[], response: Buffer): void {
    for (const text of texts) {
      if (HARMLESS.test(text)) continue
      const { changes, tables, isWide } = this.#natureOf(text)
      if (changes === 0 && !isWide) continue
      if (texts.length === 1 && changes === 1 && hasChangedNothing(response)) continue
      if (isWide || tables.length === 0) this.#version += 1
      for (const table of tables) this.#versions.set(table, (this.#versions.get(table) ?? 0) + 1)
    }
  }

  #versionOf({ tables }: Nature): string {
    return `${this.#version} ${tables.map((table) => this.#versions.get(table) ?? 0).join(' ')}`
  }

  #natureOf(text: string): Nature {
    const known = this.#natures.get(text)
    if (known !== undefined) return known
    const plain = text.toLowerCase().replaceAll(LOCKING, '')
    const words = new Set(plain.match(/[a-z_]\w*/g))
    const { opaque, withTriggers, withDependents } = this.#schema
    const isOpaque = [...words].some((word) => opaque.has(word))
    const tables = [...words].filter((word) => this.#schema.tables.has(word))
    const spreads = plain.includes('delete from') ? withDependents : NONE
    const nature = {
      isStable: !isOpaque && !UNSTABLE.test(plain),
      changes: plain.match(CHANGES)?.length ?? 0,
      tables,
      isWide: isOpaque || tables.some((table) => withTriggers.has(table) || spreads.has(table)),
    }
    this.#natures.set(text, nature)
    return nature
  }
}

function hasChangedNothing(response: Buffer): boolean {
  for (const { type, bytes } of messagesIn(response)) {
    if (type === 'E') return false
    if (type === 'C' && !NOTHING_CHANGED.test(textAt(bytes, 5))) return false
  }
  return true
}

/** The statement of an exchange that only runs one that is prepared; undefined for any other. */
export function onlyStatement(messages: readonly Message[]): string | undefined {
  let name: string | undefined
  for (const { type, bytes } of messages) {
    if (type === 'B' && name === undefined) name = textAt(bytes, bytes.indexOf(0, 5) + 1)
    else if (type !== 'E' && type !== 'S') return undefined
  }
  return name === '' ? undefined : name
}
