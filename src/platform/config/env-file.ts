// Reads the file of variables named by UPVANE_ENV_FILE, by the rules of systemd's EnvironmentFile=. The product reads
// it itself, so that the service, the operator's command and a container see the same values.
import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** `names`: the variables that came from the file. */
export type LoadedFile = { problems: string[]; names: ReadonlySet<string> }
type EnvironmentFile = { values: Map<string, string>; problems: string[] }
type Environment = Record<string, string | undefined>

const MAX_BYTES = 1024 * 1024
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/
// Node reads it before our first line runs, so it would have no effect here.
const TOO_LATE = 'NODE_OPTIONS'

/**
 * Adds the file's variables to `environment`, except those already set there. Finds every problem of the file.
 */
export function loadEnvironmentFile(environment: Environment): LoadedFile {
  const file = environment['UPVANE_ENV_FILE'] || undefined
  if (file === undefined) return { problems: [], names: new Set() }
  const text = readText(file)
  if (typeof text !== 'string') {
    const problem = `UPVANE_ENV_FILE: ${file} cannot be read (${text.code})`
    return { problems: [problem], names: new Set() }
  }
  const { values, problems } = parseEnvironmentFile(text)
  const isSet = (name: string) => environment[name] !== undefined && environment[name] !== ''
  const added = [...values].filter(([name]) => !alternatives(name).some(isSet))
  for (const [name, value] of added) environment[name] = value
  if (values.has(TOO_LATE)) problems.push(`${TOO_LATE} cannot be set here; set it in the unit`)
  problems.push(...trustExtraAuthorities(new Map(added).get('NODE_EXTRA_CA_CERTS')))
  return {
    problems: problems.map((problem) => `${file}: ${problem}`),
    names: new Set(added.map(([name]) => name)),
  }
}

export function parseEnvironmentFile(text: string): EnvironmentFile {
  const reader = new Reader(text)
  const values = new Map<string, string>()
  const problems: string[] = []
  while (reader.skipToEntry()) {
    const { line } = reader
    const name = reader.readName()
    if (name === undefined) problems.push(`line ${line} is not NAME=value`)
    else if (!NAME.test(name)) problems.push(`line ${line}: "${name}" is not a variable name`)
    const value = name === undefined ? '' : reader.readValue()
    if (value === undefined) problems.push(`line ${line}: the quote is not closed`)
    else if (name !== undefined) values.set(name, value)
  }
  return { values, problems }
}

class Reader {
  readonly #text: string
  #at = 0
  #counted = { to: 0, lines: 1 }

  constructor(text: string) {
    this.#text = text
  }

  /** Counts on from the last count, so that a long file takes linear time. */
  get line(): number {
    const { to, lines } = this.#counted
    const more = this.#text.slice(to, this.#at).split('\n').length - 1
    this.#counted = { to: this.#at, lines: lines + more }
    return lines + more
  }

  /** Skips blank lines and comments. False at the end. */
  skipToEntry(): boolean {
    for (;;) {
      this.#skip(' \t\r\n')
      const next = this.#text[this.#at]
      if (next !== '#' && next !== ';') return next !== undefined
      this.#take((char) => char !== '\n')
    }
  }

  /** Undefined if the line has no equals sign. */
  readName(): string | undefined {
    const name = this.#take((char) => char !== '=' && char !== '\n')
    if (this.#text[this.#at] !== '=') return undefined
    this.#at++
    return name.trim()
  }

  /** Any number of quoted pieces, then plain text to the end of the line. Undefined if a quote is not closed. */
  readValue(): string | undefined {
    let value = ''
    for (;;) {
      this.#skip(' \t')
      const quote = this.#text[this.#at]
      if (quote !== '"' && quote !== "'") return value + this.#readPlain()
      this.#at++
      const piece = this.#readQuoted(quote)
      if (piece === undefined) return undefined
      value += piece
    }
  }

  /** A backslash keeps the next character, even a trailing space; before a line break it joins the lines. */
  #readPlain(): string {
    let value = ''
    let kept = 0
    for (
      let char = this.#next();
      char !== undefined && !'\r\n'.includes(char);
      char = this.#next()
    ) {
      if (char === '\\') {
        const escaped = this.#next() ?? ''
        value += escaped === '\n' ? '' : escaped
        kept = value.length
      } else value += char
    }
    return value.slice(0, kept) + value.slice(kept).trimEnd()
  }

  #readQuoted(quote: string): string | undefined {
    let value = ''
    for (let char = this.#next(); char !== quote; char = this.#next()) {
      if (char === undefined) return undefined
      value += char === '\\' && quote === '"' ? unescape(this.#next() ?? '') : char
    }
    return value
  }

  #next(): string | undefined {
    return this.#text[this.#at++]
  }

  #skip(chars: string): void {
    this.#take((char) => chars.includes(char))
  }

  #take(isWanted: (char: string) => boolean): string {
    const start = this.#at
    while (this.#at < this.#text.length && isWanted(this.#text[this.#at] ?? '')) this.#at++
    return this.#text.slice(start, this.#at)
  }
}

/** Inside double quotes only these four are escaped; any other backslash is part of the value. */
function unescape(char: string): string {
  if ('"\\`$'.includes(char)) return char
  return char === '\n' ? '' : `\\${char}`
}

/** NAME and NAME_FILE are two ways to set the same variable. */
function alternatives(name: string): string[] {
  const base = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : name
  return [base, `${base}_FILE`]
}

function readText(file: string): string | { code: string } {
  try {
    const text = readFileSync(file, 'utf8')
    return text.length <= MAX_BYTES ? text : { code: 'larger than 1 MiB' }
  } catch (error) {
    return { code: error instanceof Error && 'code' in error ? String(error.code) : 'unknown' }
  }
}

/** Node reads this variable when it starts; if it comes from the file, it takes effect here. */
function trustExtraAuthorities(file: string | undefined): string[] {
  if (file === undefined) return []
  const text = readText(file)
  if (typeof text !== 'string') return [`NODE_EXTRA_CA_CERTS: ${file} cannot be read`]
  const certificates = text.split(/(?<=-----END CERTIFICATE-----)/).filter((part) => part.trim())
  try {
    setDefaultCACertificates([...getCACertificates('default'), ...certificates])
    return []
  } catch {
    return [`NODE_EXTRA_CA_CERTS: ${file} is not a file of PEM certificates`]
  }
}
