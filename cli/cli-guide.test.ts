// Compares docs/cli.md with the table of commands. test/e2e/cli/guide.test.ts runs what is in it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadCommands } from './src/commands/table.ts'
import { parseLine } from './src/shell/parse.ts'

const COMMANDS = await loadCommands()
const guide = readFileSync(new URL('../docs/cli.md', import.meta.url), 'utf8')
// Described in documents of their own.
const ELSEWHERE = /^(?:listen|validate|plan|apply|export|adopt|forget|sources|schema|import)\b/

test('the guide names every command', () => {
  const names = COMMANDS.map(({ name }) => name).filter((name) => !ELSEWHERE.test(name))
  for (const name of names) assert.ok(guide.includes(`upv ${name}`), name)
})

test('every line of the guide that starts with upv is a call that is understood', () => {
  const lines = guide.split('\n').filter((line) => line.startsWith('upv '))
  assert.ok(lines.length > 25)
  for (const line of lines) {
    const [command = ''] = line.split(/ (?:<|>|\|\|) /)
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, word = '']) => quoted ?? word,
    )
    assert.doesNotThrow(() => parseLine(COMMANDS, words.slice(1), {}), line)
  }
})
