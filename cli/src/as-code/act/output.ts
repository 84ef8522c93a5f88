// What the commands print. Values of environment variables never get out, whatever text they are in.
import { appendFileSync, existsSync, statSync } from 'node:fs'
import { CommandError } from '../../command.ts'
import { toSafeJson } from '../../terminal/text.ts'

export type Output = {
  /** To stdout. */
  print(text: string): void
  /** To stderr: for people, beside output that programs read. */
  note(text: string): void
  /** Replaces every secret in a text. */
  hide(text: string): string
}

const HIDDEN = '(hidden)'
// Shorter values are part of ordinary words.
const SHORTEST = 4

export function createOutput(secrets: Iterable<string>): Output {
  const hide = createHide(secrets)
  return {
    print: (text) => void process.stdout.write(`${hide(text)}\n`),
    note: (text) => void process.stderr.write(`${hide(text)}\n`),
    hide,
  }
}

export function createHide(secrets: Iterable<string>): (text: string) => string {
  // The longest first, so that a part of one does not leave the rest of it readable.
  const hidden = [...secrets]
    .flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      toSafeJson(secret).slice(1, -1),
      encodeURIComponent(secret.toWellFormed()),
    ])
    .filter((secret) => secret.length >= SHORTEST)
    .toSorted((one, other) => other.length - one.length)
  return (text) => hidden.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text)
}

const OWNER_ONLY = 0o600
const OTHERS = 0o077

/** Adds to a file that nobody else can read. */
export function appendPrivately(file: string, text: string): void {
  if (existsSync(file) && (statSync(file).mode & OTHERS) !== 0)
    throw new CommandError(2, `${file} can be read by others. Run "chmod 600" on it first.`)
  appendFileSync(file, text, { mode: OWNER_ONLY })
}
