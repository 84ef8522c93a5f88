// Reads environment variables one by one, collects every problem, and remembers what it read, to print it and to
// compare it with what is set.
import { readFileSync } from 'node:fs'
import { type MasterKeys, parseMasterKeys } from '../crypto/encryption.ts'
import { originProblem } from './config-values.ts'
import { findMisspellings } from './misspelled-names.ts'
import { isSender, parseSmtpUrl, type SmtpConfig } from './smtp-config.ts'

export type Environment = Readonly<Record<string, string | undefined>>
type Bounds = { fallback: number; min: number; max: number }
/** One variable as the process sees it. `value` never shows a secret. */
export type ConfigSetting = {
  name: string
  value: string
  /** `file` is one that NAME_FILE names. */
  source: 'default' | 'environment' | 'environment file' | 'file'
  /** Where the value or, for NAME_FILE, its contents come from. */
  file?: string
}

export const NO_KEYS: MasterKeys = { current: '', byId: new Map() }

const MAX_RETRIES = 50
const MIN_PASSWORD = 12
const MAX_PASSWORD = 128
const HIDDEN = '***'
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'ADMIN_PASSWORD',
  'MASTER_KEYS',
  'OIDC_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'PROBE_TOKEN',
  'SELF_HEARTBEAT_URL',
])

export type FirstAdmin = Readonly<{ email: string; password: string; organization: string }>

export class ConfigReader {
  readonly problems: string[] = []
  readonly #environment: Environment
  readonly #fromFile: ReadonlySet<string>
  readonly #settings = new Map<string, ConfigSetting>()

  /** `fromFile`: the variables that came from UPVANE_ENV_FILE. */
  constructor(environment: Environment, fromFile: ReadonlySet<string> = new Set()) {
    this.#environment = environment
    this.#fromFile = fromFile
  }

  /** Every setting read so far, sorted by name. */
  get settings(): ConfigSetting[] {
    return [...this.#settings.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Call it last: it reports names that are close to one that was read. */
  refuseMisspellings(): void {
    const known = new Set(this.#settings.keys())
    for (const { name, meant } of findMisspellings(Object.keys(this.#environment), known))
      this.problems.push(`${name} is not a setting; did you mean ${meant}?`)
  }

  text(name: string, fallback?: string): string {
    const value = this.#raw(name, fallback) ?? fallback
    if (value === undefined) this.problems.push(`${name} is required`)
    return value ?? ''
  }

  /** Text that `problemOf` accepts. */
  checked(name: string, fallback: string, problemOf: (text: string) => string | undefined): string {
    const text = this.text(name, fallback)
    const problem = text === '' ? undefined : problemOf(text)
    if (problem !== undefined) this.problems.push(`${name} ${problem}`)
    return text
  }

  /** The first of several names that is set. It is no setting of ours: not printed, and no misspelling of one. */
  foreign(names: readonly string[]): string | undefined {
    const name = names.find((candidate) => (this.#environment[candidate] ?? '') !== '')
    return name === undefined ? undefined : this.#environment[name]
  }

  integer(name: string, { fallback, min, max }: Bounds): number {
    const text = this.#raw(name, String(fallback))
    if (text === undefined) return fallback
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    this.problems.push(`${name} must be a whole number from ${min} to ${max}`)
    return fallback
  }

  url(name: string, protocols: readonly string[], fallback?: string): string {
    const text = this.text(name, fallback)
    const url = URL.parse(text)
    if (text !== '' && !(url && protocols.includes(url.protocol)))
      this.problems.push(`${name} must be a URL that starts with ${protocols.join(' or ')}//`)
    return text
  }

  /** Scheme and host, without a trailing slash: paths are appended to it. */
  origin(name: string, fallback: string): string {
    const text = this.url(name, ['http:', 'https:'], fallback)
    // A fallback that is another variable's value is reported there.
    const problem = text === fallback ? undefined : originProblem(text)
    if (problem !== undefined) this.problems.push(`${name} ${problem}`)
    return text.replace(/\/$/, '')
  }

  /** A word that is safe in a subject, a metric or a URL. */
  name(name: string, fallback: string): string {
    const text = this.text(name, fallback)
    if (!/^[a-z0-9-]{1,32}$/.test(text))
      this.problems.push(`${name} must be 1 to 32 lower-case letters, digits or hyphens`)
    return text
  }

  list(name: string, problemOf: (item: string) => string | undefined = () => undefined): string[] {
    const text = this.#raw(name, '') ?? ''
    const items = text.split(',').flatMap((part) => part.trim() || [])
    for (const item of items) {
      const problem = problemOf(item)
      if (problem !== undefined) this.problems.push(`${name} ${problem}`)
    }
    return items
  }

  /** Delays between attempts, such as `5,30,120`; empty means the default. */
  seconds(name: string): number[] {
    const values = this.list(name).map(Number)
    if (values.some((value) => !(value > 0)) || values.length > MAX_RETRIES)
      this.problems.push(
        `${name} must be up to ${MAX_RETRIES} positive numbers separated by commas`,
      )
    return values
  }

  oneOf<V extends string>(name: string, values: readonly V[], fallback: V): V {
    const text = this.#raw(name, fallback)
    const value = values.find((candidate) => candidate === text)
    if (text !== undefined && value === undefined)
      this.problems.push(`${name} must be one of ${values.join(', ')}`)
    return value ?? fallback
  }

  smtp(urlName: string, fromName: string): SmtpConfig | undefined {
    const url = this.#raw(urlName, '')
    const from = this.text(fromName, '')
    if (url === undefined) return undefined
    const relay = parseSmtpUrl(url)
    if (typeof relay === 'string') this.problems.push(`${urlName} ${relay}`)
    if (from === '') this.problems.push(`${fromName} is required`)
    else if (!isSender(from))
      this.problems.push(
        `${fromName} must be the address mails come from, such as status@example.com`,
      )
    return typeof relay === 'string' ? undefined : { relay, from }
  }

  admin(): FirstAdmin | undefined {
    const email = this.text('ADMIN_EMAIL', '')
    const password = this.text('ADMIN_PASSWORD', '')
    const organization = this.text('ADMIN_ORGANIZATION', 'My organization')
    if (email === '' && password === '') return undefined
    if (!isSender(email))
      this.problems.push('ADMIN_EMAIL must be an address such as ana@example.com')
    if (password.length < MIN_PASSWORD || password.length > MAX_PASSWORD)
      this.problems.push(`ADMIN_PASSWORD must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`)
    return { email, password, organization }
  }

  masterKeys(name: string): MasterKeys {
    const text = this.text(name)
    const keys = parseMasterKeys(text)
    if (typeof keys !== 'string') return keys
    if (text !== '') this.problems.push(`${name} ${keys}`)
    return NO_KEYS
  }

  /** Any variable may be given as NAME_FILE, to keep secrets out of the environment. */
  #raw(name: string, fallback?: string): string | undefined {
    const direct = this.#environment[name] || undefined
    const file = this.#environment[`${name}_FILE`] || undefined
    if (direct !== undefined && file !== undefined)
      this.#problem(`${name} and ${name}_FILE are both set; one is enough`)
    const text = file === undefined ? direct : this.#readFile(name, file)
    const value = shown(name, text ?? fallback ?? '')
    this.#settings.set(name, { name, value, ...this.#sourceOf(name, direct, file) })
    return text
  }

  #sourceOf(
    name: string,
    direct: string | undefined,
    file: string | undefined,
  ): Pick<ConfigSetting, 'source' | 'file'> {
    if (file !== undefined) return { source: 'file', file }
    if (direct === undefined) return { source: 'default' }
    const environmentFile = this.#environment['UPVANE_ENV_FILE']
    return this.#fromFile.has(name) && environmentFile !== undefined
      ? { source: 'environment file', file: environmentFile }
      : { source: 'environment' }
  }

  #readFile(name: string, file: string): string | undefined {
    try {
      return readFileSync(file, 'utf8').trim() || undefined
    } catch {
      this.#problem(`${name}_FILE names a file that cannot be read`)
      return undefined
    }
  }

  /** A variable that is read twice is reported once. */
  #problem(problem: string): void {
    if (!this.problems.includes(problem)) this.problems.push(problem)
  }
}

function shown(name: string, text: string): string {
  if (text === '') return ''
  if (SECRET_NAMES.has(name)) return HIDDEN
  return text.replaceAll(/(:\/\/[^/?#:@\s]{0,256}:)[^/?#@\s]{0,4096}@/g, `$1${HIDDEN}@`)
}
