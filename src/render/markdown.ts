// The Markdown that people write in updates: paragraphs, emphasis, code, lists and links. Tags, images and headings stay
// text.
import { micromark } from 'micromark'
import { DISABLED_CONSTRUCTS } from '../domain/values/markdown-bound.ts'

const OPTIONS = { extensions: [{ disable: { null: DISABLED_CONSTRUCTS } }] }
// Tags are already escaped, so every `<a href` is the renderer's own, and quotes inside it are escaped.
const LINK = /<a href="([^"]*)"(?: title="[^"]*")?>/g
const MAY_LEAD_TO = /^(?:https?:\/\/|mailto:)/i

/** HTML, with `openLink` as the opening tag of links. Check `isWithinMarkdownBound` first. */
export function parseMarkdown(text: string, openLink: (href: string) => string): string {
  return micromark(text.toWellFormed(), OPTIONS).replace(LINK, (_, href: string) =>
    MAY_LEAD_TO.test(href) ? openLink(href) : '<a>',
  )
}
