// Finds the command and reads its options and arguments, as the table describes them.
import { parseArgs } from 'node:util'
import {
  type AnyValues,
  type Call,
  type Command,
  CommandError,
  type Environment,
  type Option,
  type Options,
} from '../command.ts'
import { closestTo } from '../terminal/closest.ts'

const PROFILE: Options = {
  profile: { value: 'NAME', text: 'use this profile of "upv login"' },
}
const JSON_SWITCH: Options = { json: { text: 'print JSON for programs' } }
const HELP: Options = { help: { short: 'h', text: 'show this help' } }
const SEPARATOR = '--'
const SECRET_PREFIXES = ['upv_', 'whsec_']
const SECRET_ON_COMMAND_LINE =
  'a key or secret does not belong on the command line, where other users can read it.'

type ParsedLine = { command: Command; wantsHelp: boolean; call: Call }

/** Every option of a command: its own, then those that many share. */
export function optionsOf({ options, usesApi, printsJson }: Command): Options {
  return { ...options, ...(printsJson && JSON_SWITCH), ...(usesApi && PROFILE), ...HELP }
}

export function parseLine(
  commands: readonly Command[],
  line: readonly string[],
  env: Environment,
): ParsedLine {
  const command = findCommand(commands, line)
  if (command === undefined) throw new CommandError(2, unknownCommand(commands, line))
  const own = line.slice(command.name.split(' ').length)
  const wantsHelp = asksForHelp(own)
  if (wantsHelp) return { command, wantsHelp, call: emptyCall(commands, env) }
  const { given, program } = splitProgram(command, own)
  const { values, positionals } = readOptions(command, given)
  checkArguments(command, positionals)
  return {
    command,
    wantsHelp,
    call: { options: values, args: positionals, program, env, commands },
  }
}

/** The command with the longest name that the line starts with. */
export function findCommand(
  commands: readonly Command[],
  line: readonly string[],
): Command | undefined {
  const fits = commands.filter(({ name }) =>
    name.split(' ').every((word, index) => line[index] === word),
  )
  return fits.toSorted((a, b) => b.name.length - a.name.length)[0]
}

function asksForHelp(own: readonly string[]): boolean {
  const end = own.indexOf(SEPARATOR)
  const before = end < 0 ? own : own.slice(0, end)
  return before.includes('--help') || before.includes('-h')
}

function emptyCall(commands: readonly Command[], env: Environment): Call {
  return { options: {}, args: [], program: [], env, commands }
}

function splitProgram({ takesProgram, name }: Command, own: readonly string[]) {
  const end = own.indexOf(SEPARATOR)
  if (takesProgram === undefined) return { given: own, program: [] }
  const program = end < 0 ? [] : own.slice(end + 1)
  if (program.length === 0)
    throw new CommandError(2, `give the program to run after --. ${seeHelp(name)}`)
  return { given: own.slice(0, end), program }
}

function readOptions(command: Command, given: readonly string[]) {
  const known = optionsOf(command)
  const entries = Object.entries(known).map(([name, option]) => [name, toParseOption(option)])
  try {
    const { values, positionals } = parseArgs({
      args: joinValues(known, given),
      options: Object.fromEntries(entries) as Record<string, ReturnType<typeof toParseOption>>,
      allowPositionals: true,
    })
    return { values: withDefaults(known, values as Record<string, unknown>), positionals }
  } catch (error) {
    if (isParseError(error))
      throw new CommandError(2, `${firstLine(error)} ${seeHelp(command.name)}`)
    throw error
  }
}

/** A value may start with a dash, as one in 64 keys does: parseArgs accepts that only after an equals sign. */
function joinValues(known: Options, given: readonly string[]): string[] {
  const isOption = (word: string) =>
    Object.values(known).some(({ short }) => short !== undefined && word === `-${short}`)
  const takesValue = (word: string) => known[word.slice(2)]?.value !== undefined
  const joined: string[] = []
  for (const word of given) {
    const last = joined.at(-1) ?? ''
    const isValue = last.startsWith('--') && takesValue(last) && word[0] === '-' && word[1] !== '-'
    if (isValue && !isOption(word)) joined[joined.length - 1] = `${last}=${word}`
    else joined.push(word)
  }
  return joined
}

function toParseOption({ value, many, short }: Option) {
  return {
    type: value === undefined ? ('boolean' as const) : ('string' as const),
    ...(many && { multiple: true }),
    ...(short !== undefined && { short }),
  }
}

function withDefaults(known: Options, values: Record<string, unknown>): AnyValues {
  const entries = Object.entries(known).map(([name, { value, many }]) => {
    const none = many ? [] : value === undefined ? false : undefined
    return [name, values[name] ?? none]
  })
  return Object.fromEntries(entries) as AnyValues
}

function checkArguments(command: Command, given: readonly string[]): void {
  const { arguments: names = [], name } = command
  const missing = names.find(
    (argument, index) => !argument.isOptional && given[index] === undefined,
  )
  if (missing !== undefined)
    throw new CommandError(2, `${argumentName(missing.name)} is missing. ${seeHelp(name)}`)
  const extra = names.at(-1)?.many ? undefined : given[names.length]
  if (extra === undefined) return
  if (SECRET_PREFIXES.some((prefix) => extra.startsWith(prefix)))
    throw new CommandError(2, `${SECRET_ON_COMMAND_LINE} ${seeHelp(name)}`)
  throw new CommandError(2, `"${extra}" was not expected here. ${seeHelp(name)}`)
}

function argumentName(name: string): string {
  return name.toUpperCase()
}

function unknownCommand(commands: readonly Command[], line: readonly string[]): string {
  const [group = '', second] = line
  const siblings = commands.filter(({ name }) => name.startsWith(`${group} `))
  if (siblings.length === 0) return noSuchGroup(commands, group)
  const own = siblings.map(({ name }) => name.slice(group.length + 1))
  const meant = second === undefined ? undefined : closestTo(second, own)
  if (meant !== undefined)
    return `there is no command "${group} ${second}". Did you mean "upv ${group} ${meant}"?`
  const words = own.join(', ')
  return second === undefined || second.startsWith('-')
    ? `"upv ${group}" needs one more word: ${words}.`
    : `there is no command "${group} ${second}". "upv ${group}" has ${words}.`
}

function noSuchGroup(commands: readonly Command[], group: string): string {
  const groups = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? name))]
  const meant = closestTo(group, groups)
  const advice = meant === undefined ? '"upv help" lists them.' : `Did you mean "upv ${meant}"?`
  return `there is no command "${group}". ${advice}`
}

function seeHelp(name: string): string {
  return `See "upv help ${name}".`
}

function isParseError(error: unknown): error is Error {
  if (!(error instanceof Error && 'code' in error)) return false
  return String(error.code).startsWith('ERR_PARSE_ARGS')
}

// parseArgs adds advice about `--` that does not apply here.
function firstLine({ message }: Error): string {
  const [line = ''] = message.split('\n')
  const [sentence = ''] = line.split('. ')
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}
