// What can follow at each place of a command line, from the table of commands.
import type { Command, Completion } from '../../command.ts'
import { optionsOf } from '../parse.ts'

export type Candidate = { word: string; text: string }
export type OptionValue = { option: string; text: string; completion: Completion | null }

/** `name` is the words before it, such as `monitors list`; empty for the start of the line. */
export type Place = {
  name: string
  /** Words of commands, and values of its argument. */
  words: readonly Candidate[]
  switches: readonly Candidate[]
  /** Options that take a value. */
  values: readonly OptionValue[]
  takesProgram: boolean
}

export function toPlaces(commands: readonly Command[]): Place[] {
  const groups = [...new Set(commands.map(({ name }) => groupOf(name)))]
  return [...groups.map((group) => toGroup(commands, group)), ...commands.map(toCommand)]
}

function groupOf(name: string): string {
  return name.split(' ').slice(0, -1).join(' ')
}

function toGroup(commands: readonly Command[], group: string): Place {
  const own = commands.filter(({ name }) => groupOf(name) === group)
  const words = own.map(({ name, summary }) => ({ word: lastWord(name), text: summary }))
  const nested = group === '' ? topGroups(commands) : []
  return {
    name: group,
    words: [...words, ...nested],
    switches: [],
    values: [],
    takesProgram: false,
  }
}

/** The first words of commands with two, each once. */
function topGroups(commands: readonly Command[]): Candidate[] {
  const names = new Set(commands.map(({ name }) => groupOf(name)).filter((name) => name !== ''))
  return [...names].map((word) => {
    const own = commands.filter(({ name }) => groupOf(name) === word)
    return { word, text: own.map(({ name }) => lastWord(name)).join(', ') }
  })
}

function toCommand(command: Command): Place {
  const options = Object.entries(optionsOf(command))
  const [argument] = command.arguments ?? []
  const choices = choicesOf(argument?.completion) ?? []
  return {
    name: command.name,
    words: choices.map((word) => ({ word, text: argument?.text ?? '' })),
    switches: options.flatMap(([name, { value, text }]) =>
      value === undefined ? [{ word: `--${name}`, text }] : [],
    ),
    values: options.flatMap(([name, { value, text, completion = null }]) =>
      value === undefined ? [] : [{ option: `--${name}`, text, completion }],
    ),
    takesProgram: command.takesProgram ?? false,
  }
}

function lastWord(name: string): string {
  return name.split(' ').at(-1) ?? name
}

/** The values to choose from, if they are known. */
export function choicesOf(completion: Completion | null | undefined): readonly string[] | null {
  return typeof completion === 'object' ? completion : null
}

/** In single quotes. Quotes and backslashes are left out instead of escaped, because shells differ in that. */
export function quote(text: string): string {
  return `'${text.replaceAll('\\', '').replaceAll("'", '')}'`
}

export function oneLine(text: string): string {
  return text.replaceAll('\n', ' ')
}
