// The Markdown that people write in updates, as a tree: paragraphs, lists, emphasis, code and links. Everything else
// stays text. The public pages draw the same with the server's renderer.

export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'em'; parts: Inline[] }
  | { kind: 'link'; href: string; parts: Inline[] }
export type TextBlock =
  | { kind: 'paragraph'; parts: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }

const SCHEMES = ['https://', 'http://', 'mailto:']
// Emphasis inside a link inside emphasis: nobody writes more, and recursion ends.
const MAX_DEPTH = 3

export function parseMarkdown(text: string): TextBlock[] {
  const blocks: TextBlock[] = []
  let lines: string[] = []
  const endParagraph = () => {
    if (lines.length > 0) blocks.push({ kind: 'paragraph', parts: parseInline(lines.join('\n')) })
    lines = []
  }
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const item = toItem(line)
    if (item !== undefined) {
      endParagraph()
      addItem(blocks, item)
    } else if (line.trim() === '') endParagraph()
    else lines.push(line)
  }
  endParagraph()
  return blocks
}

type Item = { ordered: boolean; text: string }

/** `- text`, `* text`, `+ text` or `1. text`. */
function toItem(line: string): Item | undefined {
  const [mark = '', ...words] = line.trimStart().split(' ')
  if (words.length === 0) return undefined
  const text = words.join(' ').trim()
  if (mark === '-' || mark === '*' || mark === '+') return { ordered: false, text }
  const number = mark.endsWith('.') ? mark.slice(0, -1) : ''
  return number !== '' && Number.isInteger(Number(number)) ? { ordered: true, text } : undefined
}

/** Joins the list above it if that is of the same kind. */
function addItem(blocks: TextBlock[], { ordered, text }: Item): void {
  const last = blocks.at(-1)
  if (last?.kind === 'list' && last.ordered === ordered) last.items.push(parseInline(text))
  else blocks.push({ kind: 'list', ordered, items: [parseInline(text)] })
}

type Found = { part: Inline; end: number }

function parseInline(text: string, depth = 0): Inline[] {
  const parts: Inline[] = []
  let plain = ''
  const endText = () => {
    if (plain !== '') parts.push({ kind: 'text', text: plain })
    plain = ''
  }
  let at = 0
  while (at < text.length) {
    const found = depth < MAX_DEPTH ? findPart(text, at, depth + 1) : undefined
    if (found === undefined) {
      plain += text[at]
      at += 1
    } else {
      endText()
      parts.push(found.part)
      at = found.end
    }
  }
  endText()
  return parts
}

function findPart(text: string, at: number, depth: number): Found | undefined {
  const first = text[at]
  if (first === '`') return findCode(text, at)
  if (first === '[') return findLink(text, at, depth)
  if (text.startsWith('**', at)) return findEmphasis(text, at, { mark: '**', depth })
  return first === '*' || first === '_' ? findEmphasis(text, at, { mark: first, depth }) : undefined
}

function findCode(text: string, at: number): Found | undefined {
  const end = text.indexOf('`', at + 1)
  if (end <= at + 1) return undefined
  return { part: { kind: 'code', text: text.slice(at + 1, end) }, end: end + 1 }
}

type Emphasis = { mark: '**' | '*' | '_'; depth: number }

/** Marks inside a word, such as `snake_case`, are text. */
function findEmphasis(text: string, at: number, { mark, depth }: Emphasis): Found | undefined {
  const start = at + mark.length
  const end = text.indexOf(mark, start)
  const inner = text.slice(start, end)
  if (end <= start || inner.trim() !== inner) return undefined
  if (mark === '_' && (isWordAt(text, at - 1) || isWordAt(text, end + 1))) return undefined
  const kind = mark === '**' ? 'strong' : 'em'
  return { part: { kind, parts: parseInline(inner, depth) }, end: end + mark.length }
}

function isWordAt(text: string, at: number): boolean {
  const one = text[at] ?? ''
  return one.toLowerCase() !== one.toUpperCase() || (one >= '0' && one <= '9')
}

function findLink(text: string, at: number, depth: number): Found | undefined {
  const middle = text.indexOf('](', at)
  const end = text.indexOf(')', middle)
  if (middle === -1 || end === -1) return undefined
  const href = text.slice(middle + 2, end).trim()
  const label = text.slice(at + 1, middle)
  const isSafe = SCHEMES.some((scheme) => href.toLowerCase().startsWith(scheme))
  if (!isSafe || label.trim() === '' || label.includes('[')) return undefined
  return { part: { kind: 'link', href, parts: parseInline(label, depth) }, end: end + 1 }
}
