// `upvane help` and `upvane help <command>`, generated from the command table.
import type { Command } from './command.ts'
import { findCommand } from './command-line.ts'
import { UsageError } from './flags.ts'

const WIDTH = 34
const EXIT_CODES = `EXIT CODES
  0   done
  1   something else failed, such as a database that cannot be reached; doctor found a failure
  2   the command or the configuration is wrong; nothing was changed`

/** An overview with one line per command, or the manual of the command that the words name. */
export function manualOf(commands: readonly Command[], words: readonly string[]): string {
  if (words.length === 0) return overview(commands)
  const command = findCommand(commands, words)
  if (command !== undefined) return page(command)
  const group = commands.filter(({ name }) => name.startsWith(`${words[0]} `))
  if (group.length === 0)
    throw new UsageError(`There is no command "${words.join(' ')}". See upvane help.`)
  return group.map(lineOf).join('\n')
}

function overview(commands: readonly Command[]): string {
  return `upvane: uptime monitoring

${commands.map(lineOf).join('\n')}

  upvane help <command>             options, examples and exit codes of a command
  upvane --version

Configuration comes from the environment and from the file that UPVANE_ENV_FILE names: docs/operating.md.
Any command takes --json.`
}

function lineOf({ name, arguments: names = [], summary }: Command): string {
  const usage = ['  upvane', name, ...names.map(argument)].join(' ')
  return usage.length < WIDTH + 2
    ? `${usage.padEnd(WIDTH + 2)}${summary}`
    : `${usage}\n${' '.repeat(WIDTH + 2)}${summary}`
}

const argument = (name: string): string =>
  name.endsWith('?') ? `[<${name.slice(0, -1)}>]` : `<${name}>`

function page(command: Command): string {
  const { name, summary, arguments: names = [], options = {}, manual = [], examples = [] } = command
  const usage = ['upvane', name, ...names.map(argument)].join(' ')
  const optionLines = Object.entries(options).map(([option, { value, text }]) => {
    const shown = value === undefined ? `--${option}` : `--${option} ${value}`
    return `  ${shown.padEnd(24)} ${text}`
  })
  return [
    `NAME\n  upvane ${name}: ${summary}`,
    `USAGE\n  ${usage}${optionLines.length > 0 ? ' [options]' : ''}`,
    ...(manual.length > 0 ? [`DESCRIPTION\n${manual.map(indent).join('\n\n')}`] : []),
    `OPTIONS\n${[...optionLines, `  ${'--json'.padEnd(24)} print one line of JSON for scripts`].join('\n')}`,
    ...(examples.length > 0 ? [`EXAMPLES\n${examples.map(indent).join('\n')}`] : []),
    EXIT_CODES,
  ].join('\n\n')
}

const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
