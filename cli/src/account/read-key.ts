// Reads an API key without showing it: from a terminal, or from a pipe or file on standard input.
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandError } from '../command.ts'

const MAX_INPUT_BYTES = 4096
const KEY = /^[!-~]{1,200}$/

export async function readKey(prompt: string): Promise<string> {
  const text = process.stdin.isTTY ? await askHidden(prompt) : await readInput()
  const key = text.trim()
  if (KEY.test(key)) return key
  throw new CommandError(2, 'no API key was given, or it has characters that no key has.')
}

async function askHidden(prompt: string): Promise<string> {
  // readline echoes what is typed to its output: this one drops it.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  lines.once('SIGINT', () => lines.close())
  // Now that nothing is echoed.
  process.stderr.write(prompt)
  try {
    // Ctrl-C and Ctrl-D close it without a line.
    const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close')])
    return typeof line === 'string' ? line : ''
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

async function readInput(): Promise<string> {
  let text = ''
  process.stdin.setEncoding('utf8')
  for await (const chunk of process.stdin as AsyncIterable<string>) {
    text += chunk
    if (text.length > MAX_INPUT_BYTES) throw new CommandError(2, 'this is too long for an API key.')
  }
  return text
}
