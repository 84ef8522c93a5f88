// Runs the release. Its input, output and signals are its own.
import { spawn } from 'node:child_process'
import { CommandError } from '../command.ts'

export type ProgramEnd = { code: number | null; signal: NodeJS.Signals | null }

const FORWARDED: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGINT']

export function runProgram([file = '', ...args]: readonly string[]): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    // A terminal sends Ctrl-C to the program itself.
    const forward = (signal: NodeJS.Signals): void => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    }
    // Before the program starts: a signal must never end upv and leave the program and the window behind.
    for (const signal of FORWARDED) process.on(signal, forward)
    const child = spawn(file, args, { stdio: 'inherit' })
    const forget = (): void => {
      for (const signal of FORWARDED) process.off(signal, forward)
    }
    child.once('error', (error: NodeJS.ErrnoException) => {
      forget()
      reject(new CommandError(1, `the program could not be started (${error.code}).`))
    })
    child.once('exit', (code, signal) => {
      forget()
      resolve({ code, signal })
    })
  })
}
