// Checks the commands of CONTRIBUTING.md: the ones between backticks, and the blocks that are not marked untried. A suite is
// not run: its script must exist, and a part of a path must select a test.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { filesOf } from './tests/suites.ts'

type Scripts = Readonly<Record<string, string>>

/** Cheap enough to run each time, with these arguments instead of what the page says. */
const RUN: Record<string, string[]> = {
  'npm run test:changed -- --list': ['--list'],
  'npm run test:changed -- --base main': ['--base', 'HEAD', '--list'],
  'npm run upv -- help': ['help'],
}

/** Why the others are not run. */
const NOT_RUN: Record<string, string> = {
  'npm ci': 'downloads all packages; .ci/run starts with it',
  'npm run docs -- DIR': 'a placeholder',
  'npm run docs -- /tmp/docs':
    'writes outside the project; tools/build-docs.test.ts makes the same files',
  'npm start': 'needs a database; every test of test/contract starts it',
  'npm run upvane -- <command>': 'a placeholder',
  'npm run upvane -- migrate --plan': 'needs a database; src/store/core/migrate-locks.db.test.ts',
  'npm run try': 'runs until Ctrl-C; tools/embedded-postgres.db.test.ts starts it',
  'npm run try -- --port 8080': 'runs until Ctrl-C; tools/embedded-postgres.db.test.ts starts it',
  'npm run demo': 'runs until Ctrl-C; test/e2e/tools/demo.test.ts',
  'npm run ha': 'runs until Ctrl-C; test/fault/failover has the same cluster',
  'npm run web': 'takes half a minute; .ci/run does it',
  'npm run sim -- --seeds 10': 'takes minutes; test/sim/engine/engine.test.ts plays a short one',
  'npm run shots': 'takes minutes, and writes pictures',
  'npm run shots -- --folder DIR': 'takes minutes, and writes pictures',
  'npm run verify': 'runs this check',
  'npm run format': 'writes files; check:format runs the same program',
  'npm run make:openapi': 'writes files; check:openapi compares them',
  'npm run make:version': 'writes files; check:version compares them',
  'npm run make:regex': 'takes minutes, and writes files; check:regex compares them',
  'npm run make:rooms': 'writes a file; tools/rooms/rooms.test.ts compares it',
  'npm run audit:packages': 'asks the registry; .ci/run does it',
  'npm run release -- 0.2.0': 'takes minutes; test/deploy/release.test.ts',
  'npm run long': 'takes hours',
  'npm run long fuzz': 'takes hours',
  'npm run long pg-latest': 'takes minutes, and downloads pg',
  'npm run test:…': 'a placeholder',
  'npm run test:changed': 'takes two minutes; --list selects the same tests',
  'npm run pack -- /tmp': 'takes half a minute; cli/pack.slow.test.ts packs the same',
  'node sdk/try-runtimes.ts': 'downloads from npm',
  'node sdk/try-types.ts': 'downloads from npm',
  '.ci/run': 'runs this check',
}

const COMMAND = /^(?:npm|node|npx|\.ci\/run)\b/
// Several scripts in one cell are written as `npm run check:format`, `check:types`.
const SCRIPT = /^(?:test|check|make|bench|audit):[\w:-]+$/

/** Each problem as a sentence, also for a reason that no command of the page needs. */
export function findWrongCommands(text: string, scripts: Scripts): string[] {
  const commands = new Set(commandsOf(text))
  const wrong = [...commands].flatMap((command) => {
    const problem = problemOf(command, scripts)
    return problem === undefined ? [] : [`CONTRIBUTING.md: ${command}: ${problem}`]
  })
  const stale = [...Object.keys(NOT_RUN), ...Object.keys(RUN)].filter((key) => !commands.has(key))
  return [...wrong, ...stale.map((key) => `tools/guide-commands.ts: nobody needs "${key}"`)]
}

function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].flatMap(([, lines = '']) =>
    lines.split('\n').map((line) => line.trim()),
  )
  const prose = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
  const spans = [...prose.matchAll(/`([^`\n]{1,300})`/g)]
    .map(([, span = '']) => (SCRIPT.test(span) ? `npm run ${span}` : span))
    .filter((span) => COMMAND.test(span))
  return [...blocks.filter((line) => line !== ''), ...spans]
}

type Command = { text: string; script?: string; program: string; args: string }

function problemOf(text: string, scripts: Scripts): string | undefined {
  const [, script, args = ''] = /^npm run ([\w:-]+)(?: -- (.*))?$/.exec(text) ?? []
  if (script === undefined) return problemOfProgram({ text, program: text, args: '' }, scripts)
  const program = scripts[script]
  return program === undefined
    ? `there is no script "${script}"`
    : problemOfProgram({ text, script, program, args }, scripts)
}

function problemOfProgram(command: Command, scripts: Scripts): string | undefined {
  const { text, program, args } = command
  const file = /^node (\S+)/.exec(program)?.[1]
  if (file !== undefined && !existsSync(file)) return `there is no file ${file}`
  const suite = /^node tools\/run-tests\.ts (\w+)$/.exec(program)?.[1]
  if (suite !== undefined) return problemOfSuite(suite, args.split(' ').filter(Boolean))
  const run = RUN[text]
  if (file !== undefined && run !== undefined) return failureOf(file, run)
  return isVerified(command, scripts) || Object.hasOwn(NOT_RUN, text)
    ? undefined
    : 'is not run; add it to RUN, or to NOT_RUN with a reason, in tools/guide-commands.ts'
}

function isVerified({ script, args }: Command, scripts: Scripts): boolean {
  const verified = scripts['verify']?.split(' ') ?? []
  return args === '' && verified.some((name) => name === script)
}

function problemOfSuite(suite: string, parts: readonly string[]): string | undefined {
  // Each part, because another one could select a test for it.
  const wrong = parts.filter((part) => !filesOf(suite).some((file) => file.includes(part)))
  return wrong.length > 0 ? `"${wrong.join('", "')}" selects no test` : undefined
}

function failureOf(file: string, args: readonly string[]): string | undefined {
  const { status, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: 'utf8' })
  return status === 0 ? undefined : `fails (exit ${status}): ${stderr.trim().slice(0, 500)}`
}
