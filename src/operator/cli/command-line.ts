// Finds the command and validates its options as strictly as a request.
import { parseArgs } from 'node:util'
import type { Command, CommandOption } from './command.ts'
import { type Flags, UsageError } from './flags.ts'

const EVERYWHERE: Readonly<Record<string, CommandOption>> = {
  json: { text: 'print one line of JSON for scripts' },
  help: { text: 'print the manual of this command' },
}
const SWITCHES: ReadonlySet<string> = new Set(['--json', '--help', '-h', '--version'])

type CommandLine = { command: Command; flags: Flags; args: readonly string[] }

/** The words before the first option that takes a value. */
export function leadingWords(args: readonly string[]): string[] {
  const words: string[] = []
  for (const arg of args) {
    if (SWITCHES.has(arg)) continue
    if (arg.startsWith('-')) break
    words.push(arg)
  }
  return words
}

/** The command with the longest name that matches the first words. */
export function findCommand(
  commands: readonly Command[],
  words: readonly string[],
): Command | undefined {
  const fits = commands.filter(({ name }) =>
    name.split(' ').every((word, index) => words[index] === word),
  )
  return fits.toSorted((a, b) => b.name.length - a.name.length)[0]
}

export function readCommandLine(
  commands: readonly Command[],
  args: readonly string[],
): CommandLine {
  const words = leadingWords(args)
  const command = findCommand(commands, words)
  if (command === undefined) throw new UsageError(unknownCommand(commands, words))
  const { flags, positionals } = parseOptions(command, args)
  const rest = positionals.slice(command.name.split(' ').length)
  const most = command.arguments?.length ?? 0
  if (rest.length > most)
    throw new UsageError(`"${rest[most]}" was not expected here. See upvane help ${command.name}.`)
  return { command, flags, args: rest }
}

function parseOptions(command: Command, args: readonly string[]) {
  const known = { ...command.options, ...EVERYWHERE }
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value }]) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        ...(name === 'help' && { short: 'h' }),
      },
    ]),
  )
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { positionals, flags: values as Flags }
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nSee upvane help ${command.name}.`)
  }
}

function unknownCommand(commands: readonly Command[], words: readonly string[]): string {
  const [group = ''] = words
  const siblings = commands.filter(({ name }) => name.startsWith(`${group} `))
  if (siblings.length === 0) return `There is no command "${words.join(' ')}". See upvane help.`
  const names = siblings.map(({ name }) => `  upvane ${name}`).join('\n')
  return words.length === 1
    ? `upvane ${group} needs one more word:\n${names}`
    : `There is no command "${words.join(' ')}". There are:\n${names}`
}
