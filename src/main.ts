#!/usr/bin/env node
// The operator's command. What a command needs is loaded when it runs: a probe has no API, and a command of a second should
// not load a whole service first.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_TOKEN_CHARACTERS } from './bus/probe-token.ts'
import { type Command, CommandContext } from './operator/cli/command.ts'
import { leadingWords, readCommandLine } from './operator/cli/command-line.ts'
import { type Flags, UsageError } from './operator/cli/flags.ts'
import { manualOf } from './operator/cli/manual.ts'
import { READY } from './operator/ready.ts'
import { findOwnData, useOwnDatabase } from './operator/standalone/own-database.ts'
import { type Config, ConfigError, readConfig } from './platform/config/config.ts'
import { loadEnvironmentFile } from './platform/config/env-file.ts'
import { StartError } from './platform/process/start-error.ts'
import type { JoinedByToken } from './wiring/joined-probe.ts'
import { NEEDS_BUS, ROLES, type ServiceRole } from './wiring/roles.ts'

const ROOT = join(import.meta.dirname, '..')
const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string
}

const SERVICE_COMMANDS: readonly Command[] = [
  {
    name: 'start',
    summary: 'run every role in one process',
    manual: [
      'Runs until SIGTERM or SIGINT. Needs no NATS_URL.',
      'In a container without DATABASE_URL, PostgreSQL runs inside it and keeps its data in /data.',
    ],
    changes: false,
    run: () => serve(ROLES),
  },
  ...ROLES.map(
    (role): Command => ({
      name: role,
      summary: `run the role ${role} alone${NEEDS_BUS.has(role) ? '; needs NATS_URL' : ''}`,
      changes: false,
      run: () => serve([role]),
    }),
  ),
]
const PROBE_JOIN: Command = {
  name: 'probe join',
  summary: 'join as a probe of another installation, and run',
  options: {
    'token-file': { value: 'FILE', text: 'read the token there; default is standard input' },
    'no-start': { text: 'join and exit; upvane probe runs it later' },
  },
  manual: [
    'Reads the token that upvane region add printed: from PROBE_TOKEN if that is set. Afterwards upvane probe needs no token and no NATS_URL: who it\nis stands in PROBE_FILE, /var/lib/upvane/probe.json by default. Keep that file; it is the key of this probe.',
    'The probe opens one connection, to NATS, and accepts none.',
  ],
  examples: ['upvane probe join < token', 'upvane probe join --token-file /run/token --no-start'],
  changes: false,
  run: ({ flags }) => joinAsProbe(flags),
}
// The others run beside a container that is running, in docker exec.
const NEEDS_POSTGRES: ReadonlySet<string> = new Set(['start', 'restore'])

// Until every role of a process of the service runs.
let isStarting = false

try {
  await runCommandLine(process.argv.slice(2))
} catch (error) {
  const { explainFault } = await import('./operator/cli/operator-fault.ts')
  const fault = await explainFault(error, findConfig()?.databaseUrl ?? '')
  const isExplained =
    error instanceof UsageError || error instanceof ConfigError || error instanceof StartError
  await reportIfStarting(fault ?? (isExplained ? error.message : 'its log says why'))
  if (fault !== undefined) {
    process.stderr.write(`${fault}\n`)
    // Exits immediately: parts that have started would keep the process alive.
    process.exit(1)
  }
  if (!isExplained) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}

/** Undefined if the configuration itself is invalid. */
function findConfig(): Config | undefined {
  try {
    return readConfig(process.env)
  } catch {
    return undefined
  }
}

async function runCommandLine(typed: readonly string[]): Promise<void> {
  const words = leadingWords(typed)
  if (typed.includes('--version')) return print(`upvane ${VERSION} (Node ${process.versions.node})`)
  if (words[0] === 'help') return print(manualOf(await loadCommands(), words.slice(1)))
  if (words.length === 0 || typed.includes('--help') || typed.includes('-h'))
    return print(manualOf(await loadCommands(), words))
  const quick = [...SERVICE_COMMANDS, READY]
  const isQuick = quick.some(({ name }) => name === words.join(' '))
  const commands = isQuick ? quick : await loadCommands()
  const { command, flags, args } = readCommandLine(commands, typed)
  const file = loadEnvironmentFile(process.env)
  if (file.problems.length > 0 && !command.reportsFileProblems) throw new ConfigError(file.problems)
  if (await ranBesidePostgres(command, typed)) return
  const context = new CommandContext(flags, args, process.env, file)
  const outcome = await command.run(context).finally(() => context.close())
  if (outcome !== undefined) report(command, flags, outcome)
}

/** In an image with its own PostgreSQL, where the settings name no other. False if the command is still to run. */
async function ranBesidePostgres({ name }: Command, typed: readonly string[]): Promise<boolean> {
  const directory = findOwnData(process.env)
  if (directory === undefined || name === 'move-out') return false
  if (!NEEDS_POSTGRES.has(name)) {
    useOwnDatabase(process.env, directory)
    return false
  }
  const { runStandalone } = await import('./operator/standalone/standalone.ts')
  const options = { directory, root: ROOT, typed, environment: process.env }
  process.exitCode = await runStandalone(options)
  return true
}

async function loadCommands(): Promise<Command[]> {
  const { OPERATOR_COMMANDS } = await import('./operator/commands.ts')
  const { MOVE_OUT } = await import('./operator/standalone/move-out.ts')
  return [...SERVICE_COMMANDS, READY, PROBE_JOIN, ...OPERATOR_COMMANDS, MOVE_OUT]
}

async function serve(roles: readonly ServiceRole[]): Promise<void> {
  const service = await import('./wiring/serve.ts')
  isStarting = true
  const onStarted = () => {
    isStarting = false
  }
  await service.serve(roles, { version: VERSION, root: ROOT, onStarted })
}

/** Tells the operator at SELF_HEARTBEAT_URL, if this was a process of the service. */
async function reportIfStarting(reason: string): Promise<void> {
  const config = isStarting ? findConfig() : undefined
  if (config === undefined) return
  const { reportFailedStart } = await import('./wiring/heartbeat.ts')
  await reportFailedStart(config, reason)
}

async function joinAsProbe(flags: Flags): Promise<unknown> {
  const { findProbeFile, findRefusal, joinByToken } = await import('./wiring/joined-probe.ts')
  const config = readConfig(process.env, { withDatabase: false })
  const known = findProbeFile(config.probeFile)
  const isJoined = known !== undefined && known.jwt !== ''
  const refusal = isJoined ? await findRefusal(known, config) : undefined
  if (refusal !== undefined) throw new StartError(refusal)
  const joined: JoinedByToken = isJoined
    ? known
    : await joinByToken(config, config.probeToken ?? (await readToken(flags['token-file'])))
  const { name, region, warning } = joined
  process.stderr.write(`${isJoined ? 'Already joined' : 'Joined'} ${region} as ${name}.\n`)
  if (warning !== undefined) process.stderr.write(`${warning}\n`)
  return flags['no-start'] === true ? { name, region } : serve(['probe'])
}

async function readToken(file: string | boolean | undefined): Promise<string> {
  if (typeof file === 'string') {
    try {
      return readFileSync(file, 'utf8').slice(0, MAX_TOKEN_CHARACTERS + 1)
    } catch {
      throw new UsageError(`${file} cannot be read.`)
    }
  }
  if (process.stdin.isTTY) process.stderr.write('Paste the token and press Enter:\n')
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk)
    if (text.includes('\n') || text.length > MAX_TOKEN_CHARACTERS) break
  }
  return text
}

function report({ format, exitCode }: Command, flags: Flags, outcome: unknown): void {
  // Safe because both are declared next to the command that returns the outcome.
  const own = outcome as never
  if (flags['json'] === true) print(JSON.stringify(outcome))
  else print(format?.(own) ?? JSON.stringify(outcome, null, 2))
  process.exitCode = exitCode?.(own) ?? 0
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
