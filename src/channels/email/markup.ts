// HTML templates: inserted values are escaped unless they were created here.
import { micromark } from 'micromark'
import {
  DISABLED_CONSTRUCTS,
  isWithinMarkdownBound,
  toParagraphs,
} from '../../domain/values/markdown-bound.ts'
import { memoize } from '../../platform/memoize.ts'

export class EmailMarkup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = EmailMarkup | string | readonly EmailMarkup[]

export function markup(pieces: TemplateStringsArray, ...parts: Part[]): EmailMarkup {
  let text = pieces[0] ?? ''
  for (const [index, part] of parts.entries()) text += render(part) + (pieces[index + 1] ?? '')
  return new EmailMarkup(text)
}

function render(part: Part): string {
  if (part instanceof EmailMarkup) return part.text
  return typeof part === 'string' ? escapeText(part) : part.map(render).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const UNWRITABLE = /(?![\t\n\r])\p{Cc}/gu

function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(UNWRITABLE, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

// Tags, images and headings stay text: an email loads nothing and has only its own headings.
const OPTIONS = { extensions: [{ disable: { null: DISABLED_CONSTRUCTS } }] }
const MAY_LEAD_TO = /^(?:https?:\/\/|mailto:)/i

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
  (text): EmailMarkup => (isWithinMarkdownBound(text) ? parse(text) : renderPlain(text)),
)

function renderPlain(text: string): EmailMarkup {
  const paragraphs = toParagraphs(text)
  return markup`${paragraphs.map((paragraph) => markup`<p style="${BLOCK}">${paragraph}</p>`)}`
}

function parse(text: string): EmailMarkup {
  const rendered = micromark(text.toWellFormed(), OPTIONS)
    // Tags in the input are escaped by now, so every tag left is the renderer's.
    .replace(/<a href="([^"]*)"(?: title="[^"]*")?>/g, (_, href: string) =>
      MAY_LEAD_TO.test(href)
        ? `<a class="ink" href="${href}" style="color:#11161d;text-decoration:underline">`
        : '<a>',
    )
    .replace(/<(p|ul|ol|li|pre|code)( [a-z]+="[^"]*")?>/g, (_, tag: string) => {
      return `<${tag} style="${STYLES[tag]}">`
    })
  return new EmailMarkup(rendered)
}

const PREVIEW_LENGTH = 140

/** The first words, for the preview that email clients show after the subject. */
export function preview({ text }: EmailMarkup): EmailMarkup {
  const words = text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  // An entity must not be cut in two.
  const cut = words.slice(0, PREVIEW_LENGTH).toWellFormed()
  return new EmailMarkup(cut.length < words.length ? `${cut.replace(/&[^;\s]*$/, '')}…` : words)
}
