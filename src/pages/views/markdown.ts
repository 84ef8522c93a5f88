// Updates of incidents on status pages, written in Markdown.
import { isWithinMarkdownBound, toParagraphs } from '../../domain/values/markdown-bound.ts'
import { memoize } from '../../platform/memoize.ts'
import { type Html, html, join, raw } from '../../render/html.ts'
import { parseMarkdown } from '../../render/markdown.ts'

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
  return raw(
    parseMarkdown(text, (href) => `<a class="link" href="${href}" rel="nofollow noopener">`),
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
