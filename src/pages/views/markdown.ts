// The Markdown that people write in updates: paragraphs, emphasis, code, lists and links. HTML tags stay text.
import { micromark } from 'micromark'
import {
  DISABLED_CONSTRUCTS,
  isWithinMarkdownBound,
  toParagraphs,
} from '../../domain/values/markdown-bound.ts'
import { memoize } from '../../platform/memoize.ts'
import { type Html, html, join, raw } from './html.ts'

const OPTIONS = { extensions: [{ disable: { null: DISABLED_CONSTRUCTS } }] }
// Tags are already escaped, so every `<a href` is the renderer's own, and quotes inside it are escaped.
const LINK = /<a href="([^"]*)"(?: title="[^"]*")?>/g
const MAY_LEAD_TO = /^(?:https?:\/\/|mailto:)/i
// Pages are rebuilt every minute, but their messages rarely change.
const MAX_KEPT_CHARACTERS = 4_000_000

export const renderMarkdown = memoize(
  MAX_KEPT_CHARACTERS,
  (text): Html => (isWithinMarkdownBound(text) ? parse(text) : renderPlain(text)),
)

function renderPlain(text: string): Html {
  const paragraphs = toParagraphs(text).map((paragraph) => html`<p>${paragraph}</p>`)
  return join(paragraphs, raw('\n'))
}

function parse(text: string): Html {
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

/** The text alone, on one line, cut after `maxLength` characters. */
export function toPlainText(text: string, maxLength: number): string {
  // Cut before parsing too: only the beginning of a long text is needed.
  const { text: rendered } = renderMarkdown(text.slice(0, maxLength * 4))
  const words = rendered
    .replace(/<[^<>]*>/g, '')
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
