// Tags of monitors. Two tags never differ only in case.
import type { Collector } from './collector.ts'
import { ItemDraft } from './draft.ts'
import { dropAll } from './limits.ts'
import type { SourceItem } from './report.ts'

const MAX_TAGS = 200
const MAX_OF_MONITOR = 20
const MAX_CHARACTERS = 40

export class TagBook {
  readonly #out: Collector
  readonly #keys = new Map<string, string>()

  constructor(out: Collector) {
    this.#out = out
  }

  /** A tag that is an item of the other tool. `settings` are what it has beside its name. */
  addItem(item: SourceItem, settings: Readonly<Record<string, unknown>> = {}): void {
    const name = toTagName(item.name)
    if (name === '') return this.#out.refuse(item, 'It has no name.')
    if (this.#keys.has(name.toLowerCase()))
      return this.#out.refuse(item, 'There is a tag with this name already.')
    if (this.#keys.size >= MAX_TAGS)
      return this.#out.refuse(item, `There are at most ${MAX_TAGS} tags.`)
    const draft = new ItemDraft()
    draft.set('name', name)
    if (name !== item.name)
      draft.change('name', item.name, name, `A tag has at most ${MAX_CHARACTERS} characters.`)
    dropAll(draft, settings, 'A tag is only a name.')
    const key = this.#out.add('tags', item, draft)
    if (key !== undefined) this.#keys.set(name.toLowerCase(), key)
  }

  /** Sets the tags of a monitor. Names that are not tags yet become tags. */
  set(monitor: ItemDraft, names: readonly string[]): void {
    const keys = new Set(names.flatMap((name) => this.#keyOf(monitor, name) ?? []))
    const kept = [...keys].slice(0, MAX_OF_MONITOR)
    if (keys.size > kept.length)
      monitor.change(
        'tags',
        keys.size,
        kept.length,
        `A monitor has at most ${MAX_OF_MONITOR} tags.`,
      )
    if (kept.length > 0) monitor.set('tags', kept)
  }

  #keyOf(monitor: ItemDraft, given: string): string | undefined {
    const name = toTagName(given)
    if (name === '') return undefined
    const known = this.#keys.get(name.toLowerCase())
    if (known !== undefined) return known
    if (this.#keys.size >= MAX_TAGS) {
      monitor.drop('tags', name, `There are at most ${MAX_TAGS} tags.`)
      return undefined
    }
    const draft = new ItemDraft()
    draft.set('name', name)
    const key = this.#out.addBeside('tags', draft, 'A tag of the monitors.')
    if (key !== undefined) this.#keys.set(name.toLowerCase(), key)
    return key
  }
}

function toTagName(text: string): string {
  const line = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return [...line].slice(0, MAX_CHARACTERS).join('').trim()
}
