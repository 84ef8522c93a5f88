// Finds every message that an operator can read: log lines from warn on, findings of `upvane doctor`, sentences with
// which a command ends, problems of settings, and what the shipped scripts say. docs/operating/troubleshooting.md explains
// each.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argumentsAt, type Constants, readConstants, readText, stringsIn } from './read-strings.ts'
import { scriptMessages } from './script-messages.ts'

const ROOT = join(import.meta.dirname, '../..')

type Kind = 'log' | 'doctor' | 'exit' | 'setting' | 'script'
type OperatorMessage = { kind: Kind; file: string; text: string }

// What is logged comes from a caller, or from a list.
const INDIRECT: Readonly<Record<string, readonly string[]>> = {
  'src/api/http/failure.ts: what': ['request failed', 'page failed', 'heartbeat failed'],
  'src/wiring/api/pages.ts: message': [
    'a request came for a host name that is not in the configuration: set BASE_URL to the address people use',
  ],
}
// Errors whose text comes from elsewhere: another message that is found by itself, or these.
const THROWN: Readonly<Record<string, readonly string[]>> = {
  'src/main.ts: file.problems': [],
  'src/platform/config/config.ts: read.problems': [],
  'src/operator/config-check.ts: problems': [],
  // What `invite` refuses.
  'src/operator/people/people.ts: error.message': [
    'Already a member.',
    'An organization of this plan can have … open invitations.',
  ],
  'src/operator/organizations/keys.ts: TOO_MANY_KEYS': [
    'An organization can have at most … API keys.',
  ],
  'src/platform/crypto/sealed-file.ts: problem': [],
  'src/platform/crypto/sealed-file.ts: kindProblem(secret)': [],
  'src/operator/backup/backup.ts: notEmpty(objects)': [
    'The database that MIGRATE_DATABASE_URL names is not empty: it has … tables, indexes, functions or other objects.',
  ],
  'src/operator/cli/command-line.ts: unknownCommand(commands, words)': [
    'There is no command "…".',
    'upvane … needs one more word:',
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
  'src/operator/doctor/private-targets.ts': 'doctor',
  'src/operator/doctor/probe-host.ts': 'doctor',
  'src/operator/doctor/public-address.ts': 'doctor',
  'src/operator/doctor/run-check.ts': 'doctor',
  'src/domain/operating/backups.ts': 'doctor',
  'src/domain/operating/doctor.ts': 'doctor',
  'src/domain/operating/standalone.ts': 'exit',
  'src/platform/crypto/sealed-file.ts': 'exit',
}
// Files with problems of settings. A problem may continue the name of its setting.
const SETTINGS = /^src\/platform\/config\//
const CONTINUED_IN = 'src/platform/crypto/encryption.ts'
const SETTING_PROBLEM = /^(?!The configuration has)[^\n]*[a-z]{2} [a-z][^\n]*$/
const CONTINUES = /^(?:must|has|names|may)\b/
// Values, not problems.
const NO_PROBLEMS: ReadonlySet<string> = new Set(['environment file', 'Single sign-on'])
const SCRIPTS = [
  'deploy/install.sh',
  'deploy/make-secrets.sh',
  'deploy/upvane-backup.sh',
  'deploy/upvane-nightly.sh',
]
const LOG_CALL = /\b(?:log|#log)\??\.(?:warn|error|fatal)\(/g
const ERROR_CALL =
  /\bnew (?:StartError|PassingStartError|ConnectionError|MigrationError|BackupError)\(/g
const ACTED_ON_CALL = /\bnew (?:UsageError|ConfigError|MoveInError|SealedFileError)\(/g
const SENTENCE = /^(?:[A-Z].*[a-z]{2} .*[.?…]|….*[a-z]{3} .*[.?])$/s
const WORD = /[a-z]{3}/
// They follow a message, and are part of its entry.
const ADVICE =
  /^(?:Look at |Run upvane doctor on |Install deploy|Put PostgreSQL's |This probe was probably revoked:|… (?:Run|If) )/

export function findMessages(
  files = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts')),
): OperatorMessage[] {
  const inSources = files.toSorted().flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8')
    return messagesIn(file, source)
  })
  return [...inSources, ...SCRIPTS.flatMap(inScript)]
}

function inScript(file: string): OperatorMessage[] {
  const texts = scriptMessages(readFileSync(join(ROOT, file), 'utf8'))
  return texts.map((text) => ({ kind: 'script', file, text }))
}

export function messagesIn(file: string, source: string): OperatorMessage[] {
  const constants = readConstants(source)
  const kind = SENTENCES[file]
  const own =
    kind === undefined ? [] : sentencesIn(source, constants).map((text) => ({ kind, file, text }))
  return [
    ...callsOf(LOG_CALL, source).flatMap((given) => logged(file, given, constants)),
    ...callsOf(ERROR_CALL, source).flatMap((given) => thrown(file, given, constants)),
    ...callsOf(ACTED_ON_CALL, source).flatMap((given) => actedOn(file, given, constants)),
    ...own,
    ...settingProblems(file, source, constants).map(
      (text): OperatorMessage => ({ kind: 'setting', file, text }),
    ),
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

/** Each is found: what is no text here is named in THROWN. */
function actedOn(file: string, given: string[], constants: Constants): OperatorMessage[] {
  const [argument = ''] = given
  const text = readText(argument, constants)
  const texts =
    text === undefined ? THROWN[`${file}: ${argument}`] : [firstSentence(text.trimStart())]
  if (texts === undefined) throw new Error(`${file}: what does ${argument} say? Name it in THROWN.`)
  return texts.filter((one) => WORD.test(one)).map((one) => ({ kind: 'exit', file, text: one }))
}

function settingProblems(file: string, source: string, constants: Constants): string[] {
  if (!SETTINGS.test(file) && file !== CONTINUED_IN) return []
  const isProblem = (text: string) =>
    file === CONTINUED_IN ? CONTINUES.test(text) : !NO_PROBLEMS.has(text)
  const texts = stringsIn(source, constants).filter(
    (text) => SETTING_PROBLEM.test(text) && isProblem(text),
  )
  return [...new Set(texts)].map((text) => (CONTINUES.test(text) ? `… ${text}` : text))
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
