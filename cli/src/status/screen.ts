// Draws lines on a terminal again and again. Only lines that changed are written, so nothing flickers.

type Output = { write(text: string): unknown }

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[H\u001b[2J'
const LEAVE = '\u001b[?25h\u001b[?1049l'
// A terminal that knows these shows a frame at once; others ignore them.
const BEGIN = '\u001b[?2026h'
const END = '\u001b[?2026l'

type Screen = {
  draw(lines: readonly string[]): void
  /** The terminal was resized: nothing on it counts anymore. */
  forget(): void
  leave(): void
}

/** Uses the terminal's second screen: leaving it brings back what was there before. */
export function enterScreen(output: Output): Screen {
  let drawn: readonly string[] = []
  let isOpen = true
  output.write(ENTER)
  return {
    draw(lines) {
      const changes = toChanges(drawn, lines)
      drawn = [...lines]
      if (isOpen && changes !== '') output.write(`${BEGIN}${changes}${END}`)
    },
    forget() {
      drawn = []
      output.write('\u001b[H\u001b[2J')
    },
    leave() {
      if (isOpen) output.write(LEAVE)
      isOpen = false
    },
  }
}

/** What to write so that a terminal that shows `before` shows `after`. */
export function toChanges(before: readonly string[], after: readonly string[]): string {
  const length = Math.max(before.length, after.length)
  return Array.from({ length }, (_, index) => {
    const line = after[index] ?? ''
    return line === (before[index] ?? '') ? '' : `\u001b[${index + 1};1H${line}\u001b[K`
  }).join('')
}
