// Runs one command. main.ts starts it, once the version of Node is known to be new enough.
import { explainError } from './api/client.ts'
import { type Command, CommandError } from './command.ts'
import { loadCommands } from './commands/table.ts'
import { helpFor } from './shell/help.ts'
import { findCommand, parseLine } from './shell/parse.ts'
import { note, print } from './terminal/text.ts'
import { readVersion } from './version.ts'

// `upv … | head -1` closes the pipe. Commands that run for long also end then: see until-stopped.ts.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  await run(process.argv.slice(2))
} catch (error) {
  const { exitCode, message } = toFailure(error)
  note(`upv: ${message}`)
  process.exitCode = exitCode
}

async function run(line: readonly string[]): Promise<void> {
  const [first] = line
  if (first === '--version') return print(readVersion())
  const commands = await loadCommands(first)
  if (first === undefined || first === '--help' || first === '-h')
    return print(helpFor(commands, []))
  if (isGroupHelp(commands, line)) return print(helpFor(commands, [first]))
  const { command, wantsHelp, call } = parseLine(commands, line, process.env)
  if (wantsHelp) return print(helpFor(commands, command.name.split(' ')))
  await command.run(call)
}

/** `upv monitors --help` */
function isGroupHelp(commands: readonly Command[], line: readonly string[]): boolean {
  const [, second = ''] = line
  return ['--help', '-h'].includes(second) && findCommand(commands, line) === undefined
}

function toFailure(error: unknown): { exitCode: number; message: string } {
  if (error instanceof CommandError) return error
  const message = explainError(error)
  if (message === undefined) throw error
  return { exitCode: 1, message }
}
