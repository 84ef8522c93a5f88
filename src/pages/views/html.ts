// HTML and XML by template: everything put in is escaped, except what was made here.

/** Markup of our own making. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | false | null | undefined | readonly Part[]

export function html(pieces: TemplateStringsArray, ...parts: Part[]): Html {
  let text = pieces[0] ?? ''
  for (const [index, part] of parts.entries()) text += render(part) + (pieces[index + 1] ?? '')
  return new Html(text)
}

/** Only for text that this code wrote itself: styles, drawings, and what the Markdown renderer escaped. */
export function raw(text: string): Html {
  return new Html(text)
}

/** The given parts with something between them. */
export function join(parts: readonly Part[], between: Html): Html {
  return new Html(parts.map(render).join(between.text))
}

function render(part: Part): string {
  if (part instanceof Html) return part.text
  if (part === false || part === null || part === undefined) return ''
  if (typeof part === 'object') return part.map(render).join('')
  return escapeText(String(part))
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
// What XML 1.0 has no way to write at all; browsers have no use for it either.
const UNWRITABLE = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu

function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(UNWRITABLE, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
