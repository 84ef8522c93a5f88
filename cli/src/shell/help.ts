// `upv help` and `upv help <command>`, made from the table of commands.
import { type Argument, type Command, CommandError, type Option } from '../command.ts'
import { choicesOf } from './completion/places.ts'
import { findCommand, optionsOf } from './parse.ts'

const WIDTH = 26
const MAX_COLUMNS = 120
const EXIT_CODES = `It ends with 0 when it is done, 1 when it failed, 2 when the call or the file is wrong, 3 when changes are pending,
and 4 when it refuses something that might do harm.`

/** An overview, the commands of a group, or the help of one command. */
export function helpFor(commands: readonly Command[], words: readonly string[]): string {
  if (words.length === 0) return overview(commands)
  const command = findCommand(commands, words)
  if (command !== undefined && command.name.split(' ').length === words.length)
    return describe(command)
  const group = commands.filter(({ name }) => name.startsWith(`${words.join(' ')} `))
  if (group.length > 0) return group.map(lineOf).join('\n')
  throw new CommandError(2, `there is no command "${words.join(' ')}". "upv help" lists them.`)
}

function overview(commands: readonly Command[]): string {
  return `upv: Upvane on the command line

${toParagraphs(commands).join('\n\n')}

"upv help <command>" says what a command does and takes.

Sign in once with "upv login", or set UPVANE_URL and UPVANE_API_KEY.
${EXIT_CODES}`
}

/** Commands with a common first word stay together, apart from the others. */
function toParagraphs(commands: readonly Command[]): string[] {
  const paragraphs: { group: string | null; lines: string[] }[] = []
  for (const command of commands) {
    const [first = null, ...rest] = command.name.split(' ')
    const group = rest.length > 0 ? first : null
    const last = paragraphs.at(-1)
    if (last !== undefined && last.group === group) last.lines.push(lineOf(command))
    else paragraphs.push({ group, lines: [lineOf(command)] })
  }
  return paragraphs.map(({ lines }) => lines.join('\n'))
}

function lineOf({ name, summary }: Command): string {
  return `  upv ${name.padEnd(WIDTH)}${summary}`
}

function describe(command: Command): string {
  const { name, summary, arguments: names = [], notes = [], examples = [] } = command
  const argumentLines = names.map((argument) => row(argument.name.toUpperCase(), argument.text))
  const optionLines = Object.entries(optionsOf(command)).map(([option, each]) =>
    row(optionUsage(option, each), optionText(each)),
  )
  return [
    `upv ${name}: ${summary}`,
    `  ${usageOf(command)}`,
    [...argumentLines, ...optionLines].join('\n'),
    ...notes.map((text) => wrap(text, MAX_COLUMNS).join('\n')),
    ...(examples.length > 0
      ? [`Examples:\n\n${examples.map((line) => `  ${line}`).join('\n')}`]
      : []),
  ].join('\n\n')
}

function usageOf(command: Command): string {
  const { name, arguments: names = [], takesProgram } = command
  return [
    `upv ${name}`,
    ...names.map(argumentUsage),
    '[options]',
    ...(takesProgram ? ['-- PROGRAM [ARGUMENT…]'] : []),
  ].join(' ')
}

function argumentUsage({ name, isOptional, many }: Argument): string {
  const shown = name.toUpperCase() + (many ? '…' : '')
  return isOptional ? `[${shown}]` : shown
}

function optionUsage(name: string, { value, short }: Option): string {
  const shown = value === undefined ? `--${name}` : `--${name} ${value}`
  return short === undefined ? shown : `-${short}, ${shown}`
}

function optionText({ text, many, completion }: Option): string {
  const choices = choicesOf(completion) ?? []
  const isComplete = choices.every((choice) => text.includes(choice))
  const listed = isComplete ? text : `${text}: ${choices.join(', ')}`
  return many ? `${listed}; may be given several times` : listed
}

function row(left: string, text: string): string {
  const lines = wrap(text, MAX_COLUMNS - WIDTH - 2)
  const indent = ' '.repeat(WIDTH + 2)
  const first = left.length < WIDTH ? `  ${left.padEnd(WIDTH)}` : `  ${left}\n${indent}`
  return `${first}${lines.join(`\n${indent}`)}`
}

/** Lines of at most this many characters; line breaks of the text stay. */
function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = []
    let current = ''
    for (const word of line.split(' ')) {
      const longer = current === '' ? word : `${current} ${word}`
      if (longer.length > columns && current !== '') {
        lines.push(current)
        current = word
      } else current = longer
    }
    return [...lines, current]
  })
}
