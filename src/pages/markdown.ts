// The Markdown that people write in updates: paragraphs, emphasis, code, lists and links. Tags stay text.
import { micromark } from 'micromark'
import { html, type Markup, raw } from './html.ts'

const OPTIONS = {
  extensions: [
    {
      disable: {
        null: [
          'htmlFlow',
          'htmlText',
          'blockQuote',
          'labelStartImage',
          'definition',
          'headingAtx',
          'setextUnderline',
          'codeIndented',
          'thematicBreak',
        ],
      },
    },
  ],
}
// Tags are text by now, so every `<a href` is the renderer's own, and quotes inside it are escaped.
const LINK = /<a href="([^"]*)"(?: title="[^"]*")?>/g
const MAY_LEAD_TO = /^(?:https?:\/\/|mailto:)/i
// The parser's time grows with the square of some of them: 10,000 signs and nothing else take seconds.
const SIGN = /[-+*_`[\]<>&()!\\\n]|\d[.)]/g
const MAX_SIGNS = 400
const DEEP_LIST = /^(?:[ \t]*(?:[-+*]|\d+[.)])[ \t]+){5}/m
// Pages are rebuilt every minute, their messages stay.
const MAX_KEPT = 2_000
const kept = new Map<string, Markup>()

export function renderMarkdown(text: string): Markup {
  const known = kept.get(text)
  if (known !== undefined) return known
  const rendered = isPlain(text) ? html`<p>${text}</p>` : parse(text)
  if (kept.size >= MAX_KEPT) kept.clear()
  kept.set(text, rendered)
  return rendered
}

function isPlain(text: string): boolean {
  return (text.match(SIGN)?.length ?? 0) > MAX_SIGNS || DEEP_LIST.test(text)
}

function parse(text: string): Markup {
  const rendered = micromark(text.toWellFormed(), OPTIONS)
  return raw(
    rendered.replace(LINK, (_, href: string) =>
      MAY_LEAD_TO.test(href) ? `<a class="link" href="${href}" rel="nofollow noopener">` : '<a>',
    ),
  )
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
}

/** The words alone, in one line, cut after `maxLength` characters. */
export function toPlainText(text: string, maxLength: number): string {
  // Cut before it is parsed as well: only the beginning of a long text is wanted.
  const { text: rendered } = renderMarkdown(text.slice(0, maxLength * 4))
  const words = rendered
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...words]
  return characters.length <= maxLength
    ? words
    : `${characters
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`
}
