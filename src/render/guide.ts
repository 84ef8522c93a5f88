// The operator's guide as pages: headings with ids, tables, and what Markdown has besides. Only for documents that ship
// with the product, which are read without a limit.
import { micromark } from 'micromark'
import { escapeHtml } from './html.ts'

const OPTIONS = { extensions: [{ disable: { null: ['htmlFlow', 'htmlText'] } }] }
const HEADING = /^(#{1,4}) (.+)$/
const LINK = /<a href="([^"]*)"/g
const OWN = /^([a-z-]+)\.md(#[a-z0-9_-]+)?$/
const FENCE = '```'

/** `path` leads to the other documents of the guide. Links to what is not part of it lead nowhere. */
export function renderGuide(markdown: string, path: string): string {
  const parts: string[] = []
  let text: string[] = []
  let rows: string[] = []
  let isFenced = false
  const flush = () => {
    if (text.length > 0) parts.push(micromark(text.join('\n'), OPTIONS))
    if (rows.length > 0) parts.push(renderTable(rows))
    text = []
    rows = []
  }
  for (const line of markdown.split('\n')) {
    if (line.startsWith(FENCE)) isFenced = !isFenced
    const isRow = !isFenced && line.startsWith('|')
    const [, signs = '', title = ''] = (!isFenced && HEADING.exec(line)) || []
    if (title !== '' || isRow !== rows.length > 0) flush()
    if (title !== '') parts.push(renderHeading(signs.length, title))
    else (isRow ? rows : text).push(line)
  }
  flush()
  return parts.join('\n').replace(LINK, (_, href: string) => openLink(href, path))
}

function renderHeading(level: number, title: string): string {
  return `<h${level} id="${anchorOf(title)}">${inline(title)}</h${level}>`
}

/** As code hosts make them: lower case, hyphens for spaces, and no other punctuation. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-')
}

function renderTable([head = '', , ...body]: readonly string[]): string {
  const row = (line: string, tag: 'td' | 'th') => {
    const cells = line.split('|').slice(1, -1)
    return `<tr>${cells.map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`).join('')}</tr>`
  }
  const rows = body.map((line) => row(line, 'td')).join('\n')
  return `<table><thead>${row(head, 'th')}</thead><tbody>\n${rows}\n</tbody></table>`
}

const inline = (text: string) => micromark(text, OPTIONS).replace(/^<p>|<\/p>$/g, '')

function openLink(href: string, path: string): string {
  if (href.startsWith('#') || href.startsWith('https://')) return `<a href="${href}"`
  const [, name, anchor = ''] = OWN.exec(href) ?? []
  return name === undefined ? '<a' : `<a href="${path}/${name}${anchor}"`
}

/** The title of a document: its first heading. */
export function titleOf(markdown: string): string {
  const [line = ''] = markdown.split('\n', 1)
  return escapeHtml(line.replace(/^# /, ''))
}
