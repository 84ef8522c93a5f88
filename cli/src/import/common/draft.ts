// One item of the other tool on its way into the file: the fields it gets, what had to be changed, or why it is not
// taken.
import { toShownText } from './values.ts'

export type ItemChange = { field: string; from: string; to: string; why: string }

const MAX_SHOWN = 200

/** Stands for `${env:…}` in a field until the item has its key. It never prints its value. */
export class SecretValue {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toJSON(): string {
    return '(hidden)'
  }
}

/** A text with variables of the other tool, already as `${env:…}`. */
export class EnvText {
  readonly text: string
  readonly names: readonly string[]

  constructor(text: string, names: readonly string[]) {
    this.text = text
    this.names = names
  }
}

export class ItemDraft {
  readonly fields: Record<string, unknown> = {}
  readonly changes: ItemChange[] = []
  #refusal: string | undefined

  /** Why the item is not taken: the first reason that was found. */
  get refusal(): string | undefined {
    return this.#refusal
  }

  set(field: string, value: unknown): void {
    this.fields[field] = value
  }

  /** Never pass a secret. */
  change(field: string, from: unknown, to: unknown, why: string): void {
    this.changes.push({ field, from: shown(from), to: shown(to), why })
  }

  /** Something that Upvane has no place for. */
  drop(field: string, from: unknown, why: string): void {
    this.change(field, from, 'nothing', why)
  }

  refuse(why: string): void {
    this.#refusal ??= why
  }
}

function shown(value: unknown): string {
  return toShownText(value).slice(0, MAX_SHOWN).toWellFormed()
}
