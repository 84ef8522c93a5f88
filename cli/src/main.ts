#!/usr/bin/env node
// The command for users of Upvane's API. (The operator's command is `upvane`.)
import { readFileSync } from 'node:fs'
import { type Command, CommandError } from './command.ts'
import { listen } from './commands/listen.ts'

const COMMANDS: readonly Command[] = [listen]

try {
  await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof CommandError)) throw error
  process.stderr.write(`upv: ${error.message}\n`)
  process.exitCode = error.exitCode
}

async function run([first = '--help', ...args]: string[]): Promise<void> {
  if (first === '--version') return print(version())
  if (first === '--help' || first === '-h') return print(help())
  if (first === 'help') return print(args[0] === undefined ? help() : getCommand(args[0]).help)

  const command = getCommand(first)
  if (args.includes('--help') || args.includes('-h')) return print(command.help)
  await command.run(args, process.env)
}

function getCommand(name: string): Command {
  const command = COMMANDS.find((each) => each.name === name)
  if (command !== undefined) return command
  throw new CommandError(2, `there is no command "${name}". "upv --help" lists them.`)
}

function help(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length)) + 4
  const lines = COMMANDS.map(({ name, summary }) => `  upv ${name.padEnd(width)}${summary}`)
  return `upv: Upvane for people who use its API

${lines.join('\n')}

  upv <command> --help    what a command does and takes
  upv --version

It ends with 0, with 1 when something could not be done, and with 2 when it was not asked for properly.`
}

function version(): string {
  const file = new URL('../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
