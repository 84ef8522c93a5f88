import { styleText } from 'node:util'

// External text could move the cursor, change colors or hide what follows.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Makes external text safe to print on one line of a terminal. */
export function clean(text: string): string {
  return text.replace(UNPRINTABLE, '\uFFFD')
}

/** JSON with the same meaning and nothing that a terminal would obey. Several lines unless `compact`. */
export function toSafeJson(value: unknown, shape?: 'compact'): string {
  const text = JSON.stringify(value, null, shape === 'compact' ? undefined : 2)
  return text.replace(UNPRINTABLE, (found) => (found === '\n' ? found : escaped(found)))
}

function escaped(found: string): string {
  const units = Array.from({ length: found.length }, (_, index) => found.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

export type Style = 'green' | 'red' | 'yellow' | 'dim' | 'bold'

/** Colors only on a terminal, and not if NO_COLOR is set. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout })
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** For people, beside the output that a program may read. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`)
}
