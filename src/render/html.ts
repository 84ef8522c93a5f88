// HTML and XML templates: every inserted value is escaped, except markup created here.

/** Trusted markup. */
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

/** Only for text that this code wrote itself: styles, SVG, and the Markdown renderer's escaped output. */
export function raw(text: string): Html {
  return new Html(text)
}

/** Joins the parts with a separator. */
export function join(parts: readonly Part[], between: Html): Html {
  return new Html(parts.map(render).join(between.text))
}

function render(part: Part): string {
  if (part instanceof Html) return part.text
  if (part === false || part === null || part === undefined) return ''
  if (typeof part === 'object') return part.map(render).join('')
  return escapeHtml(String(part))
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
// Characters that XML 1.0 cannot represent; browsers have no use for them either.
const UNWRITABLE = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu

/** Text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(UNWRITABLE, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
