// Updates of incidents in emails, written in Markdown.
import { isWithinMarkdownBound, toParagraphs } from '../../domain/values/markdown-bound.ts'
import { memoize } from '../../platform/memoize.ts'
import { type Html, html, raw } from '../../render/html.ts'
import { parseMarkdown } from '../../render/markdown.ts'

const BLOCK = 'margin:0 0 12px'
const STYLES: Readonly<Record<string, string>> = {
  p: BLOCK,
  ul: `${BLOCK};padding-left:22px`,
  ol: `${BLOCK};padding-left:22px`,
  li: 'margin:0 0 4px',
  pre: `${BLOCK};white-space:pre-wrap`,
  code: 'font-family:ui-monospace,Menlo,Consolas,monospace;font-size:14px',
}

// Cached, because an update goes to many recipients and may take several attempts.
const MAX_KEPT_CHARACTERS = 1_000_000

/** Renders an update's Markdown with inline styles, the only ones most email clients support. */
export const markdown = memoize(
  MAX_KEPT_CHARACTERS,
  (text): Html => (isWithinMarkdownBound(text) ? parse(text) : renderPlain(text)),
)

function renderPlain(text: string): Html {
  const paragraphs = toParagraphs(text)
  return html`${paragraphs.map((paragraph) => html`<p style="${BLOCK}">${paragraph}</p>`)}`
}

function parse(text: string): Html {
  const rendered = parseMarkdown(
    text,
    (href) => `<a class="ink" href="${href}" style="color:#11161d;text-decoration:underline">`,
  ).replace(/<(p|ul|ol|li|pre|code)( [a-z]+="[^"]*")?>/g, (_, tag: string) => {
    return `<${tag} style="${STYLES[tag]}">`
  })
  return raw(rendered)
}

const PREVIEW_LENGTH = 140

/** The first words, for the preview that email clients show after the subject. */
export function preview({ text }: Html): Html {
  const words = text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  // An entity must not be cut in two.
  const cut = words.slice(0, PREVIEW_LENGTH).toWellFormed()
  return raw(cut.length < words.length ? `${cut.replace(/&[^;\s]*$/, '')}…` : words)
}
