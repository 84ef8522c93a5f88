import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../command.ts'
import { loadCommands } from '../commands/table.ts'
import { helpFor } from './help.ts'
import { optionsOf, parseLine } from './parse.ts'

const COMMANDS = await loadCommands()
const MAX_COLUMNS = 120

test('the overview has a line for every command', () => {
  const lines = helpFor(COMMANDS, []).split('\n')
  for (const { name, summary } of COMMANDS)
    assert.ok(
      lines.some((line) => line.startsWith(`  upv ${name} `) && line.endsWith(summary)),
      name,
    )
})

for (const command of COMMANDS)
  test(`upv help ${command.name}: usage, arguments, options; no line is too long`, () => {
    const help = helpFor(COMMANDS, command.name.split(' '))
    assert.ok(help.startsWith(`upv ${command.name}: ${command.summary}\n\n  upv ${command.name}`))
    for (const name of Object.keys(optionsOf(command)))
      assert.match(help, new RegExp(`^ {2}(?:-\\w, )?--${name}\\b`, 'm'))
    for (const { name } of command.arguments ?? [])
      assert.match(help, new RegExp(`^ {2}${name.toUpperCase()} `, 'm'))
    for (const line of help.split('\n')) assert.ok(line.length <= MAX_COLUMNS, line)
  })

test('every example of the help is a call that the command takes', () => {
  for (const { name, examples = [] } of COMMANDS)
    for (const example of examples) {
      const [upv, ...line] = example.split(/ [<>] /)[0]?.split(' ') ?? []
      assert.equal(upv, 'upv')
      assert.equal(parseLine(COMMANDS, line, {}).command.name, name)
    }
})

test('a group lists its commands, and an unknown word is refused', () => {
  assert.match(helpFor(COMMANDS, ['windows']), /^ {2}upv windows list .*\n {2}upv windows get /)
  assert.throws(() => helpFor(COMMANDS, ['sing']), CommandError)
  assert.throws(() => helpFor(COMMANDS, ['monitors', 'sing']), CommandError)
})
