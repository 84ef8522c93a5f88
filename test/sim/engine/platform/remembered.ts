// Answers that cannot have changed. An idle product polls some hundred times a second: a statement that depends on nothing
// but tables nobody wrote to since gets the answer it got before. One that compares with the time was also tried at a
// later time; until then it gets the same answer.
import { type Message, messagesIn, textAt } from './postgres-messages.ts'

export type Schema = {
  tables: ReadonlySet<string>
  /** Views, and functions that may read anything. */
  opaque: ReadonlySet<string>
  /** Functions that may write anything. */
  writers: ReadonlySet<string>
  /** Every write to these may write to others. */
  withTriggers: ReadonlySet<string>
  /** Deleting from these may write to others. */
  withDependents: ReadonlySet<string>
}

type Nature = {
  isStable: boolean
  /** Compares with the time of its transaction. */
  isTimed: boolean
  mayPeek: boolean
  /** Rows have new ids. */
  hasIds: boolean
  changes: number
  tables: readonly string[]
  /** What it writes may reach tables that it does not name. */
  isWide: boolean
}
type Answer = {
  readonly response: Buffer
  readonly version: string
  readonly fromMs: number
  /** Up to this time it is known to be the same. */
  untilMs: number
  /** At this time it is known to be another. */
  differsMs: number
}

const LOCKING = /\b(?:for (?:no key )?update|do update)\b/g
const CHANGES = /\b(?:insert into|update|delete from|merge into|truncate|copy)\b/g
const UNSTABLE =
  /\b(?:random|nextval|set_config|current_\w+|gen_\w+|\w+_timestamp|pg_\w+|txid_\w+|xmin|xmax|ctid)\b/
/** Settings of a transaction: their answer is their value. */
export const SETTINGS = /^select (?:set_config\('\w+', '\w+', true\)(?:,\s*)?)+$/
const TIMED = /\bnow\(\)/
const NEW_ID = 'new_uuid'
const NEVER_PEEKED = /\b(?:truncate|copy)\b/
const HARMLESS = /^\s*(?:begin|commit|rollback|set )/i
const NOTHING_CHANGED = /^(?:UPDATE|DELETE|SELECT|MERGE) 0$|^INSERT 0 0$/
const MAX_ANSWERS = 20_000
// Shorter than anything that begins and ends by itself.
const MAX_AHEAD_MS = 10_000
const MIN_AHEAD_MS = 300
// Such a statement probably returns the time itself.
const MAX_FAILED_PEEKS = 4
const NONE: ReadonlySet<string> = new Set()

export class Remembered {
  readonly #schema: Schema
  readonly #natures = new Map<string, Nature>()
  readonly #answers = new Map<string, Answer>()
  readonly #versions = new Map<string, number>()
  readonly #failedPeeks = new Map<string, number>()
  #version = 0

  constructor(schema: Schema) {
    this.#schema = schema
  }

  isStable(text: string): boolean {
    return this.#natureOf(text).isStable
  }

  /** The last answer, if nothing was written since to what it depends on. It may have been another time. */
  find(key: string, text: string): Answer | undefined {
    const answer = this.#answers.get(key)
    return answer?.version === this.#versionOf(this.#natureOf(text)) ? answer : undefined
  }

  /** The later time for which it is worth asking whether the answer is still the same. */
  aheadOf({ differsMs }: Answer, text: string, nowMs: number): number | undefined {
    const { mayPeek } = this.#natureOf(text)
    if (!mayPeek || (this.#failedPeeks.get(text) ?? 0) >= MAX_FAILED_PEEKS) return undefined
    const aheadMs = Math.min(MAX_AHEAD_MS, Math.trunc((differsMs - nowMs) / 2))
    return aheadMs < MIN_AHEAD_MS ? undefined : nowMs + aheadMs
  }

  peeked(answer: Answer, text: string, { atMs, isSame }: { atMs: number; isSame: boolean }): void {
    if (isSame) answer.untilMs = atMs
    else answer.differsMs = atMs
    this.#failedPeeks.set(text, isSame ? 0 : (this.#failedPeeks.get(text) ?? 0) + 1)
  }

  /** The statement ran at this time and wrote nothing, in a transaction that had written nothing. */
  keep(key: string, text: string, { response, nowMs }: { response: Buffer; nowMs: number }): void {
    const nature = this.#natureOf(text)
    if (!nature.isStable || (nature.hasIds && !hasChangedNothing(response))) return
    if (this.#answers.size >= MAX_ANSWERS) this.#answers.clear()
    const version = this.#versionOf(nature)
    const [fromMs, untilMs] = nature.isTimed ? [nowMs, nowMs] : [0, Number.POSITIVE_INFINITY]
    const differsMs = Number.POSITIVE_INFINITY
    this.#answers.set(key, { response, version, fromMs, untilMs, differsMs })
  }

  /** Whether the response does not say if the statement changed anything. */
  isUnclear(text: string): boolean {
    return this.#natureOf(text).changes > 1
  }

  /** Something ran: what it may have changed is no longer known. True if it may have changed anything. */
  ran(texts: readonly string[], response: Buffer): boolean {
    let hasWritten = false
    for (const text of texts) {
      if (HARMLESS.test(text)) continue
      const { changes, tables, isWide } = this.#natureOf(text)
      if (changes === 0 && !isWide) continue
      if (texts.length === 1 && changes === 1 && hasChangedNothing(response)) continue
      hasWritten = true
      if (isWide || tables.length === 0) this.#version += 1
      for (const table of tables) this.#versions.set(table, (this.#versions.get(table) ?? 0) + 1)
    }
    return hasWritten
  }

  #versionOf({ tables }: Nature): string {
    return `${this.#version} ${tables.map((table) => this.#versions.get(table) ?? 0).join(' ')}`
  }

  #natureOf(text: string): Nature {
    const known = this.#natures.get(text)
    if (known !== undefined) return known
    const plain = text.toLowerCase().replaceAll(LOCKING, '')
    const words = new Set(plain.match(/[a-z_]\w*/g))
    words.delete(NEW_ID)
    const { opaque, writers, withTriggers, withDependents } = this.#schema
    const writes = [...words].some((word) => writers.has(word))
    const isOpaque = writes || [...words].some((word) => opaque.has(word))
    const isTimed = TIMED.test(plain)
    const tables = [...words].filter((word) => this.#schema.tables.has(word))
    const spreads = plain.includes('delete from') ? withDependents : NONE
    const changes = plain.match(CHANGES)?.length ?? 0
    const reachesOthers = tables.some((table) => withTriggers.has(table) || spreads.has(table))
    const isConstant = SETTINGS.test(text)
    const nature = {
      isStable: isConstant || (!isOpaque && !UNSTABLE.test(plain)),
      isTimed,
      mayPeek: isTimed && !NEVER_PEEKED.test(plain),
      hasIds: plain.includes(NEW_ID),
      changes,
      tables,
      isWide: writes || (changes > 0 && (isOpaque || reachesOthers)),
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
