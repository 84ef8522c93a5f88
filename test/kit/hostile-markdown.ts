// Markdown that costs a parser the most, in messages of the maximum length.
const MESSAGE_LENGTH = 10_000

const UNITS = [
  ['*', '**', '***', '_', '*a', '*a ', '**a*', '*a_', '_*', 'é*', '“*', '*.', '*a\n'],
  ['[', ']', '[a', '[a]', '[a](', '[a](b)', '[a][', '](', '![', '[a](<', '[a](b "', '[a\n'],
  ['`', '``', '`a', '`a`b``', '\\``', '\\```', '```\n', '~~~\n', '`a\n'],
  ['<', '<a', '<a:', '<http://a', '<b@c', '<a:b>', '<b>', '<!--', '<div>\n', '<![CDATA['],
  ['&', '&a', '&amp;', '&#1', '&#x0;', '\\', '\\*', '!', '(', ')'],
  ['- ', '-\t', '1. ', '9) ', '- - ', '* - + ', '- a\n', '1. a\n', '  - a\n', '- a\n\n', '- \n'],
  ['>', '> ', '>- ', '> a\n', '>>> - ', '|a', '|-|\n', '|a|b|\n|-|-|\n', '# ', '=\n', '---\n'],
  ['\n', '\r', '\r\n', '\t', '  \n', '\ta\n', '\r- ', '\0', '😀', '\ud800'],
].flat()
const FILLERS = ['word ', ' ', '\r']
// The most markup characters in a text that is still parsed as Markdown.
const MOST_SIGNS = 400

/** Every unit alone, and as many of it as are still parsed, before a long text. */
export function hostileMarkdown(): string[] {
  const alone = UNITS.map((unit) => fill(unit, MESSAGE_LENGTH))
  const mixed = UNITS.flatMap((unit) => {
    const start = unit.repeat(Math.floor(MOST_SIGNS / signsOf(unit)))
    if (start.length >= MESSAGE_LENGTH) return []
    return FILLERS.map((filler) => start + fill(filler, MESSAGE_LENGTH - start.length))
  })
  return [...alone, ...mixed, ...nestedLists(), ...separatedMarkers()]
}

function nestedLists(): string[] {
  const texts: string[] = []
  for (const marker of ['- ', '* ', '1. ', '-\t', '- - - - ']) {
    for (const step of [1, 2, 3, 4, 8]) {
      let text = ''
      for (let depth = 0; text.length < MESSAGE_LENGTH / 2 && depth < 80; depth++)
        text += `${' '.repeat(step * depth)}${marker}a\n`
      for (const filler of ['a ', `${' '.repeat(50)}\n`, '\n'])
        texts.push(text + fill(filler, MESSAGE_LENGTH - text.length))
    }
  }
  for (const step of [2, 4]) {
    let text = ''
    for (let depth = 0; depth * step < 16; depth++) text += `${' '.repeat(step * depth)}- - - - a\n`
    texts.push(text + fill(`${' '.repeat(40)}\n`, 9_000 - text.length))
  }
  return texts
}

/** Four markers far apart: one less than the five that make a list too deep. */
function separatedMarkers(): string[] {
  return [60, 600, 2_499].flatMap((blanks) =>
    ['-', '*', '1.'].map((marker) => `${`${marker}${' '.repeat(blanks)}`.repeat(4)}x`),
  )
}

function signsOf(unit: string): number {
  return Math.max(1, unit.match(/\r\n?|[-+*_`[\]<>&()!\\\n]|\d[.)]/g)?.length ?? 1)
}

function fill(unit: string, length: number): string {
  return unit.repeat(Math.ceil(Math.max(0, length) / unit.length)).slice(0, Math.max(0, length))
}
