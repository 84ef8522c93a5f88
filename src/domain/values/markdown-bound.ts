// What Markdown in messages may contain, on pages and in emails alike. The parser's time grows with the square of
// the signs it has to pair and with the depth of lists, so a text beyond these limits is shown as plain paragraphs.

/** Constructs of the Markdown parser that are turned off: their signs stay text. */
export const DISABLED_CONSTRUCTS = [
  'htmlFlow',
  'htmlText',
  'blockQuote',
  'labelStartImage',
  'definition',
  'headingAtx',
  'setextUnderline',
  'codeIndented',
  'thematicBreak',
]

const SIGN = /\r\n?|[-+*_`[\]<>&()!\\\n]|\d[.)]/g
export const MAX_SIGNS = 400
// A run of backticks without its counterpart is searched for through the rest of the text.
const BACKTICKS = /`+/g
const MAX_BACKTICK_WORK = 300_000
// Five markers in one line, or one that is indented by 16 columns or more.
const DEEP_LIST = /^[ \t]*(?:(?:[-+*]|\d{1,20}[.)])[ \t]+){5}/m
const DEEP_INDENT = /^(?: {0,3}\t| {4}){4}[ \t]*(?:[-+*]|\d{1,20}[.)])(?:[ \t]|$)/m

export function isWithinMarkdownBound(text: string): boolean {
  return (
    count(text, SIGN) <= MAX_SIGNS &&
    count(text, BACKTICKS) * text.length <= MAX_BACKTICK_WORK &&
    !hasDeepList(text)
  )
}

export function hasDeepList(text: string): boolean {
  return DEEP_LIST.test(text) || DEEP_INDENT.test(text)
}

/** The paragraphs of a text that is shown without Markdown. */
export function toParagraphs(text: string): string[] {
  return text.split(/(?:\r\n?|\n){2}/).flatMap((paragraph) => {
    const trimmed = paragraph.trim()
    return trimmed === '' ? [] : [trimmed]
  })
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
