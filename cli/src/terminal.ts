import { styleText } from 'node:util'

// External text could move the cursor, change colors or hide what follows.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Makes external text safe to print on one line of a terminal. */
export function clean(text: string): string {
  return text.replace(UNPRINTABLE, '\uFFFD')
}

type Style = 'green' | 'red' | 'yellow' | 'dim' | 'bold'

/** Colors only on a terminal, and not if NO_COLOR is set. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout })
}
