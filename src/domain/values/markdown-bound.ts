// Limits for Markdown in messages, on pages and in emails alike. Parsing time grows with the square of the characters
// to be paired and with the depth of lists, so text beyond these limits is shown as plain paragraphs.

/** Disabled constructs of the Markdown parser: their characters stay text. */
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
// For a run of backticks without a counterpart, the parser searches the rest of the text.
const BACKTICKS = /`+/g
const MAX_BACKTICK_WORK = 300_000
// Five markers on one line, or one marker indented by 16 columns or more.
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

/** The paragraphs of a text shown without Markdown. */
export function toParagraphs(text: string): string[] {
  return text.split(/(?:\r\n?|\n){2}/).flatMap((paragraph) => {
    const trimmed = paragraph.trim()
    return trimmed === '' ? [] : [trimmed]
  })
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
