// Gathers what an importer makes: the sections of the file, the report, and the values of secrets apart from both.
import { escapePlaceholders } from '../../as-code/file/placeholders.ts'
import { EnvText, type ItemChange, type ItemDraft, SecretValue } from './draft.ts'
import { KeyRing, toKey } from './keys.ts'
import type { PastIncident } from './past-incident.ts'
import {
  type Addition,
  countItems,
  type ImportReport,
  type ItemKind,
  type ReportedItem,
  type SourceItem,
} from './report.ts'

export const SECTIONS = [
  'contacts',
  'tags',
  'monitors',
  'statusPages',
  'maintenanceWindows',
  'webhookEndpoints',
] as const
export type FileSection = (typeof SECTIONS)[number]

/** The content of upvane.yaml: the resources of each section by key, in the order of the other tool. */
export type ImportedFile = ReadonlyMap<FileSection, ReadonlyMap<string, unknown>>

/** A job that pings: its old token continues to work by an alias, or its URL is changed. */
export type HeartbeatMove = { monitor: string; name: string; token: string; oldUrl: string }

export type Imported = {
  file: ImportedFile
  report: ImportReport
  /** Values of the environment variables. Never print them. */
  secrets: ReadonlyMap<string, string>
  heartbeats: readonly HeartbeatMove[]
  incidents: readonly PastIncident[]
}

const ONE_OF: Record<FileSection, string> = {
  tags: 'tag',
  contacts: 'contact',
  monitors: 'monitor',
  statusPages: 'page',
  maintenanceWindows: 'window',
  webhookEndpoints: 'endpoint',
}

export class Collector {
  readonly #from: string
  readonly #prefix: string
  readonly #sections = new Map(SECTIONS.map((name) => [name, new Map<string, unknown>()]))
  readonly #keys = new Map(SECTIONS.map((name) => [name, new KeyRing()]))
  readonly #variables = new KeyRing()
  readonly #secrets = new Map<string, string>()
  /** Variables of the other tool, whose values are not known here. */
  readonly #given = new Set<string>()
  readonly #announced = new Map<ItemKind, number>()
  readonly #items: ReportedItem[] = []
  readonly #additions: Addition[] = []
  readonly #heartbeats: HeartbeatMove[] = []
  readonly #incidents: PastIncident[] = []

  /**
   * `from` is the name of the other tool, as in the command. `prefix` begins the names of variables, if the other tool has
   * variables too.
   */
  constructor(from: string, prefix = '') {
    this.#from = from
    this.#prefix = prefix
  }

  /** How many the other tool has. Counted apart from the mapping, so that nothing can be lost in it. */
  announce(kind: ItemKind, count: number): void {
    this.#announced.set(kind, (this.#announced.get(kind) ?? 0) + count)
  }

  /** Returns the key of the item, or undefined if it is not taken. */
  add(section: FileSection, item: SourceItem, draft: ItemDraft): string | undefined {
    if (draft.refusal !== undefined) return void this.refuse(item, draft.refusal)
    const { name } = draft.fields
    const key = this.#keep(section, typeof name === 'string' ? name : item.name, draft.fields)
    const became = `${section}.${key}`
    this.note(item, became, draft.changes)
    return key
  }

  /** An item that became a part of something: a component of a page. */
  note(item: SourceItem, became: string, changes: readonly ItemChange[]): void {
    this.#items.push(
      changes.length > 0
        ? { ...cleaned(item), outcome: 'changed', became, changes }
        : { ...cleaned(item), outcome: 'mapped', became },
    )
  }

  /** Something that the other tool does not have as an item of its own. */
  addBeside(section: FileSection, draft: ItemDraft, why: string): string | undefined {
    if (draft.refusal !== undefined) return undefined
    const key = this.#keep(section, String(draft.fields['name'] ?? ''), draft.fields)
    this.#additions.push({ address: `${section}.${key}`, why })
    return key
  }

  refuse(item: SourceItem, why: string): void {
    this.#items.push({ ...cleaned(item), outcome: 'not taken', why })
  }

  moveHeartbeat(move: HeartbeatMove): void {
    this.#heartbeats.push(move)
  }

  addPastIncident(item: SourceItem, incident: PastIncident, changes: readonly ItemChange[]): void {
    this.#incidents.push(incident)
    this.note(item, `statusPages.${incident.page}`, changes)
  }

  finish(): Imported {
    const report: ImportReport = {
      from: this.#from,
      counts: countItems(this.#announced, this.#items),
      items: this.#items,
      additions: this.#additions,
      variables: [...this.#given, ...this.#secrets.keys()],
    }
    return {
      file: this.#sections,
      report,
      secrets: this.#secrets,
      heartbeats: this.#heartbeats,
      incidents: this.#incidents,
    }
  }

  #keep(section: FileSection, name: string, fields: Readonly<Record<string, unknown>>): string {
    const key = this.#keys.get(section)?.take(name, ONE_OF[section]) ?? ''
    this.#sections.get(section)?.set(key, this.#withVariables(fields, key))
    return key
  }

  /** Replaces each secret by the name of an environment variable: `SHOP_AUTHORIZATION`. */
  #withVariables(value: unknown, path: string): unknown {
    if (typeof value === 'string') return escapePlaceholders(value)
    if (value instanceof SecretValue) return this.#nameSecret(value.reveal(), path)
    if (value instanceof EnvText) {
      for (const name of value.names) this.#given.add(name)
      return value.text
    }
    if (Array.isArray(value))
      return value.map((each, at): unknown => this.#withVariables(each, `${path} ${at + 1}`))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        this.#withVariables(each, isGroup(name) ? path : `${path} ${name}`),
      ]),
    )
  }

  #nameSecret(value: string, path: string): string {
    // A variable cannot begin with a digit.
    const prefix = /^\d/.test(toKey(path)) ? 'upv' : this.#prefix
    const words = `${prefix} ${path}`
    const name = this.#variables.take(words, 'secret').replaceAll('-', '_').toUpperCase()
    this.#secrets.set(name, value)
    return `\${env:${name}}`
  }
}

const isGroup = (name: string): boolean => name === 'requestHeaders' || name === 'settings'

const cleaned = ({ kind, id, name }: SourceItem): SourceItem => ({
  kind,
  id: id.slice(0, 200),
  name: name.slice(0, 200).toWellFormed() || toKey(id) || '(no name)',
})
