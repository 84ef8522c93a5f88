import { styleText } from 'node:util'

// Text from outside could move the cursor, change colours or hide what follows.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** One line of foreign text, fit for a terminal. */
export function clean(text: string): string {
  return text.replace(UNPRINTABLE, '\uFFFD')
}

type Style = 'green' | 'red' | 'yellow' | 'dim' | 'bold'

/** Coloured only on a terminal, and not when NO_COLOR is set. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout })
}
