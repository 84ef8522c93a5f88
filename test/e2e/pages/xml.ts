// A strict parser for the XML of feeds: rejects anything that is not well-formed.

type Element = {
  name: string
  attributes: Record<string, string>
  children: Element[]
  text: string
}

const NAME = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?'
const OPEN = new RegExp(`^<(${NAME})((?:\\s+${NAME}="[^"<]*")*)\\s*(/?)>`)
const CLOSE = new RegExp(`^</(${NAME})\\s*>`)
const DECLARATION = /^<\?xml version="1\.0" encoding="utf-8"\?>\s*/
const ENTITY = /&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);/g
const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
}

export function parseXml(source: string): Element {
  const declared = DECLARATION.exec(source)?.[0]
  if (declared === undefined) throw new Error('No declaration')
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  let rest = source.slice(declared.length)
  while (rest !== '') rest = rest.slice(readOne(rest, open))
  const [document, ...more] = root.children
  if (open.length !== 1 || document === undefined || more.length > 0 || root.text.trim() !== '')
    throw new Error('Not exactly one root element')
  return document
}

/** Reads text or one tag into the innermost open element; returns its length. */
function readOne(rest: string, open: Element[]): number {
  const here = open.at(-1)
  if (here === undefined) throw new Error('More is closed than was open')
  const text = /^[^<]+/.exec(rest)?.[0]
  if (text === undefined) return readTag(rest, here, open)
  here.text += decode(text)
  return text.length
}

function readTag(rest: string, here: Element, open: Element[]): number {
  const [end, closed] = CLOSE.exec(rest) ?? []
  if (end !== undefined && closed === here.name && open.length > 1) {
    open.pop()
    return end.length
  }
  const [start, name = '', attributes = '', empty] = OPEN.exec(rest) ?? []
  if (start === undefined) throw new Error(`Not well-formed at: ${rest.slice(0, 120)}`)
  const element = toElement(name, attributes)
  here.children.push(element)
  if (empty === '') open.push(element)
  return start.length
}

function toElement(name: string, source: string): Element {
  const pairs = [...source.matchAll(new RegExp(`(${NAME})="([^"]*)"`, 'g'))]
  const attributes = Object.fromEntries(
    pairs.map(([, key = '', value = '']) => [key, decode(value)]),
  )
  if (Object.keys(attributes).length !== pairs.length) throw new Error(`${name}: attribute twice`)
  return { name, attributes, children: [], text: '' }
}

function decode(text: string): string {
  if (/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/u.test(text))
    throw new Error('A character XML does not allow')
  if (text.replaceAll(ENTITY, '').includes('&'))
    throw new Error(`A bare & in: ${text.slice(0, 80)}`)
  return text.replaceAll(ENTITY, (entity) => {
    const code = /^&#(x?)([^;]+)/.exec(entity)
    if (code === null) return ENTITIES[entity] ?? ''
    return String.fromCodePoint(Number.parseInt(code[2] ?? '', code[1] === 'x' ? 16 : 10))
  })
}

export function all(element: Element, name: string): Element[] {
  return element.children.filter((child) => child.name === name)
}

/** The text of the only child with this name. */
export function one(element: Element, name: string): string {
  const found = all(element, name)
  if (found.length !== 1) throw new Error(`${element.name} has ${found.length} ${name}`)
  return found[0]?.text ?? ''
}
