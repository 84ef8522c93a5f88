// The documents in docs/ as HTML: headings with ids, tables, pictures, and what Markdown has besides. Only for documents
// that ship with the product, which are read without a limit.
import { micromark } from 'micromark'
import { cellsOf, type GuideBlock, readBlocks } from './guide-blocks.ts'
import { escapeHtml } from './html.ts'

export type GuideLinks = {
  /** Where a link of the document leads. Undefined: what it names is not among the pages, and it leads nowhere. */
  linkTo(href: string): string | undefined
  picture(path: string): { src: string; width: number; height: number } | undefined
}

const OPTIONS = { extensions: [{ disable: { null: ['htmlFlow', 'htmlText'] } }] }
const LINK = /<a href="([^"]*)"/g
const PICTURE = /<img src="([^"<]*)" alt="([^"<]*)" \/>/g
// A tag that a document has for its width. All others stay text.
const SIZED_PICTURE =
  /&lt;img src=&quot;([\w./-]+)&quot; width=&quot;(\d+)&quot; alt=&quot;([^<>&]*)&quot;&gt;/g

/** In pieces: a long document takes tens of milliseconds. */
export function* renderGuide(markdown: string, links: GuideLinks): Generator<undefined, string> {
  const parts: string[] = []
  for (const block of readBlocks(markdown)) {
    if (block.kind === 'table') parts.push(yield* renderTable(block.rows))
    else parts.push(renderBlock(block))
    yield
  }
  return parts
    .join('\n')
    .replace(SIZED_PICTURE, (_, src: string, width: string, alt: string) =>
      renderPicture(links, { src, alt, shownWidth: Number(width) }),
    )
    .replace(PICTURE, (_, src: string, alt: string) => renderPicture(links, { src, alt }))
    .replace(LINK, (_, href: string) => {
      const target = links.linkTo(href)
      return target === undefined ? '<a' : `<a href="${target}"`
    })
    .replaceAll('<pre>', '<pre tabindex="0">')
}

function renderBlock(block: Exclude<GuideBlock, { kind: 'table' }>): string {
  if (block.kind === 'heading') return renderHeading(block)
  if (block.kind === 'text') return renderText(block.lines)
  return block.title === '' ? block.html : `${block.html}<summary>${inline(block.title)}</summary>`
}

const FENCE = /^ {0,3}```\w+(?: (.+))?$/
const CODE = /<pre><code class="language-/g

/** What a document says about a sample after its language, such as the test that runs it, is shown above it. */
function renderText(lines: readonly string[]): string {
  const notes = lines.map((line) => FENCE.exec(line)).flatMap((fence) => (fence ? [fence[1]] : []))
  let sample = 0
  return micromark(lines.join('\n'), OPTIONS).replace(CODE, (opening) => {
    const about = notes[sample++]
    return about === undefined ? opening : `<p class="about">${escapeHtml(about)}</p>${opening}`
  })
}

function renderHeading({ level, title, id }: Extract<GuideBlock, { kind: 'heading' }>): string {
  // A title with a link of its own cannot be one.
  const text = level === 1 || title.includes('](') ? inline(title) : toOwn(id, title)
  return `<h${level} id="${id}">${text}</h${level}>`
}

const toOwn = (id: string, title: string) => `<a href="#${id}">${inline(title)}</a>`

/** Cells name their column, which small screens show beside them. */
function* renderTable([head = '', , ...body]: readonly string[]): Generator<undefined, string> {
  const titles = cellsOf(head)
  const heads = titles.map((title) => `<th scope="col">${inline(title)}</th>`)
  const rows: string[] = []
  for (const line of body) {
    const cells = cellsOf(line).map((cell, column) => {
      const label = escapeHtml((titles[column] ?? '').replace(/[*`]/g, ''))
      return `<td${label === '' ? '' : ` data-column="${label}"`}>${inline(cell)}</td>`
    })
    rows.push(`<tr>${cells.join('')}</tr>`)
    yield
  }
  return `<table><thead><tr>${heads.join('')}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>`
}

const PLAIN = /^[\p{L}\p{N} ,.;:()'%/-]*$/u

/** The text of a title or a cell. Most have no marks, and need no parser. */
function inline(text: string): string {
  if (PLAIN.test(text) && !/^(?:\p{N}+[.)]|-)/u.test(text)) return escapeHtml(text)
  return micromark(text, OPTIONS).replace(/^<p>|<\/p>$/g, '')
}

type Picture = { src: string; alt: string; shownWidth?: number }

/** With its size, so that nothing moves when it arrives. */
function renderPicture({ picture }: GuideLinks, { src, alt, shownWidth }: Picture): string {
  const found = picture(src)
  if (found === undefined) return alt
  const width = shownWidth ?? found.width
  const height = Math.round((width * found.height) / found.width)
  return `<img src="${found.src}" width="${width}" height="${height}" loading="lazy" alt="${alt}">`
}
