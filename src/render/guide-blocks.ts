// Reads a document of the guides: its headings, tables and the text between them. Only for documents that ship with the
// product, which are read without a limit.

export type GuideBlock =
  | { kind: 'heading'; level: number; title: string; id: string }
  | { kind: 'table'; rows: string[] }
  | { kind: 'fold'; html: '<details>' | '</details>'; title: string }
  | { kind: 'text'; lines: string[] }

const HEADING = /^(#{1,4}) (.+)$/
const FENCE = /^ {0,3}```/
const COMMENT = /^<!--.*-->$/
const FOLD = /^<details><summary>([^<]+)<\/summary>$/
const FOLD_END = '</details>'

export function readBlocks(markdown: string): GuideBlock[] {
  const blocks: GuideBlock[] = []
  const ids = new Map<string, number>()
  let isFenced = false
  for (const line of markdown.split('\n')) {
    if (FENCE.test(line)) isFenced = !isFenced
    const isCode = isFenced || FENCE.test(line)
    if (!isCode && COMMENT.test(line)) continue
    const block = isCode ? undefined : readSpecial(line, ids)
    if (block) blocks.push(block)
    else addLine(blocks, line, !isCode && line.startsWith('|'))
  }
  return blocks
}

function readSpecial(line: string, ids: Map<string, number>): GuideBlock | undefined {
  const [, signs, title = ''] = HEADING.exec(line) ?? []
  if (signs !== undefined)
    return { kind: 'heading', level: signs.length, title, id: anchorOf(title, ids) }
  const [, summary] = FOLD.exec(line) ?? []
  if (summary !== undefined) return { kind: 'fold', html: '<details>', title: summary }
  return line === FOLD_END ? { kind: 'fold', html: '</details>', title: '' } : undefined
}

function addLine(blocks: GuideBlock[], line: string, isRow: boolean): void {
  const last = blocks.at(-1)
  if (isRow && last?.kind === 'table') last.rows.push(line)
  else if (isRow) blocks.push({ kind: 'table', rows: [line] })
  else if (last?.kind === 'text') last.lines.push(line)
  else blocks.push({ kind: 'text', lines: [line] })
}

/** As code hosts make them: lower case, hyphens for spaces, no other punctuation, and a number if it is there already. */
function anchorOf(title: string, ids: Map<string, number>): string {
  const id = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
  const earlier = ids.get(id)
  ids.set(id, (earlier ?? 0) + 1)
  return earlier === undefined ? id : `${id}-${earlier}`
}

/** The cells of a row. */
export const cellsOf = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

type GuideSection = { title: string; id: string; level: number; text: string }

/** Every heading with what is below it up to the next one, without marks. */
export function sectionsOf(markdown: string): GuideSection[] {
  const sections: GuideSection[] = []
  for (const block of readBlocks(markdown)) {
    const last = sections.at(-1)
    if (block.kind === 'heading')
      sections.push({ title: toPlain(block.title), id: block.id, level: block.level, text: '' })
    else if (last) last.text = `${last.text} ${toPlain(sourceOf(block))}`.trim()
  }
  return sections
}

function sourceOf(block: Exclude<GuideBlock, { kind: 'heading' }>): string {
  if (block.kind === 'fold') return block.title
  if (block.kind === 'text') return block.lines.join('\n')
  return block.rows
    .filter((row) => !/^\|[\s|:-]*$/.test(row))
    .map((row) => cellsOf(row).join(' · '))
    .join('\n')
}

const MARKDOWN_LINK = /!?\[([^[\]]*)\]\([^()[\]\s]*\)/g

function toPlain(text: string): string {
  return (
    text
      .replace(/```.*/g, '')
      .replace(/<img src="[^"<]*" width="[^"<]*" alt="([^"<]*)">/g, '$1')
      .replace(MARKDOWN_LINK, '$1')
      // A picture that is a link.
      .replace(MARKDOWN_LINK, '$1')
      .replace(/\*\*|`/g, '')
      .replace(/\*(\w[\w ]*)\*/g, '$1')
      .replace(/\s+/g, ' ')
      .trim()
  )
}
