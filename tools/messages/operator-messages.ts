// Finds every message that an operator can read: log lines from warn on, findings of `upvane doctor`, and sentences with
// which a command ends. docs/operating/troubleshooting.md explains each.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argumentsAt, type Constants, readConstants, readText, stringsIn } from './read-strings.ts'

const ROOT = join(import.meta.dirname, '../..')

type Kind = 'log' | 'doctor' | 'exit'
type OperatorMessage = { kind: Kind; file: string; text: string }

// What is logged comes from a caller, or from a list.
const INDIRECT: Readonly<Record<string, readonly string[]>> = {
  'src/api/http/failure.ts: what': ['request failed', 'page failed', 'heartbeat failed'],
  'src/wiring/api/pages.ts: message': [
    'a request came for a host name that is not in the configuration: set BASE_URL to the address people use',
  ],
}
/** Every sentence in these files is one that an operator may read. */
const SENTENCES: Readonly<Record<string, Kind>> = {
  'src/operator/cli/operator-fault.ts': 'exit',
  'src/bus/nats-fault.ts': 'exit',
  'src/wiring/joined-probe.ts': 'exit',
  'src/actions/probes/join.ts': 'exit',
  'src/store/core/connect.ts': 'exit',
  'src/operator/doctor/database.ts': 'doctor',
  'src/operator/doctor/local.ts': 'doctor',
  'src/operator/doctor/probe-host.ts': 'doctor',
  'src/operator/doctor/public-address.ts': 'doctor',
  'src/operator/doctor/run-check.ts': 'doctor',
  'src/domain/operating/backups.ts': 'doctor',
  'src/domain/operating/doctor.ts': 'doctor',
}
const LOG_CALL = /\b(?:log|#log)\??\.(?:warn|error|fatal)\(/g
const ERROR_CALL =
  /\bnew (?:StartError|PassingStartError|ConnectionError|MigrationError|BackupError)\(/g
const SENTENCE = /^(?:[A-Z].*[a-z]{2} .*[.?…]|….*[a-z]{3} .*[.?])$/s
const WORD = /[a-z]{3}/
// They follow a message, and are part of its entry.
const ADVICE =
  /^(?:Look at |Run upvane doctor on |Install deploy|Put PostgreSQL's |This probe was probably revoked:|… (?:Run|If) )/

export function findMessages(
  files = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts')),
): OperatorMessage[] {
  return files.toSorted().flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8')
    return messagesIn(file, source)
  })
}

export function messagesIn(file: string, source: string): OperatorMessage[] {
  const constants = readConstants(source)
  const kind = SENTENCES[file]
  const own =
    kind === undefined ? [] : sentencesIn(source, constants).map((text) => ({ kind, file, text }))
  return [
    ...callsOf(LOG_CALL, source).flatMap((given) => logged(file, given, constants)),
    ...callsOf(ERROR_CALL, source).flatMap((given) => thrown(file, given, constants)),
    ...own,
  ]
}

function callsOf(pattern: RegExp, source: string): string[][] {
  return [...source.matchAll(pattern)].map(({ 0: call, index }) =>
    argumentsAt(source, index + call.length),
  )
}

function logged(file: string, given: readonly string[], constants: Constants): OperatorMessage[] {
  const argument = given.at(-1) ?? ''
  const text = readText(argument, constants)
  const texts = text === undefined ? INDIRECT[`${file}: ${argument}`] : [text]
  if (texts === undefined)
    throw new Error(`${file}: what does log(${argument}) write? Name it in INDIRECT.`)
  return texts.map((one) => ({ kind: 'log', file, text: one }))
}

/** An argument that is no text was written somewhere else, and is found there. */
function thrown(file: string, [argument = '']: string[], constants: Constants): OperatorMessage[] {
  const text = readText(argument, constants)
  return text === undefined || !WORD.test(text)
    ? []
    : [{ kind: 'exit', file, text: firstSentence(text) }]
}

function sentencesIn(source: string, constants: Constants): string[] {
  const texts = stringsIn(source, constants).filter(
    (text) => SENTENCE.test(text) && !ADVICE.test(text),
  )
  return [...new Set(texts.map(firstSentence))]
}

/** The rest of a message is the advice, or what another program said. */
function firstSentence(text: string): string {
  return text.split(/\n|(?<=[.?])(?= [A-Z…(])/, 1)[0] ?? text
}
