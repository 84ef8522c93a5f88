// Parses an email as a mail client does, so that tests see what a recipient would.

export type ParsedEmail = {
  raw: string
  /** Unfolded and decoded, names in lower case; repeated headers are joined by a line break. */
  headers: Record<string, string>
  text: string
  html: string
}

export function readEmail(raw: string): ParsedEmail {
  const { head, body } = split(raw)
  const headers = readHeaders(head)
  const parts = readParts(headers['content-type'] ?? 'text/plain', headers, body)
  return { raw, headers, text: parts.get('text/plain') ?? '', html: parts.get('text/html') ?? '' }
}

function split(raw: string): { head: string; body: string } {
  const at = raw.indexOf('\r\n\r\n')
  if (at === -1) throw new Error('A mail without an end of its headers')
  return { head: raw.slice(0, at), body: raw.slice(at + 4) }
}

function readHeaders(head: string): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [, name = '', value = ''] = /^([!-9;-~]+): ?(.*)$/.exec(line) ?? []
    if (name === '') throw new Error(`Not a header: ${line}`)
    const key = name.toLowerCase()
    const known = headers[key]
    headers[key] = known === undefined ? decodeWords(value) : `${known}\n${decodeWords(value)}`
  }
  return headers
}

function decodeWords(value: string): string {
  return value
    .replaceAll(/(\?=)\s+(=\?)/g, '$1$2')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, form: string, text: string) =>
      form.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('latin1')
        : fromQuoted(text.replaceAll('_', ' ')),
    )
    .replaceAll(/[\u0080-\u00ff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'))
}

function readParts(
  type: string,
  headers: Record<string, string>,
  body: string,
): Map<string, string> {
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1]
  const name = type.split(';')[0]?.trim().toLowerCase() ?? ''
  if (boundary === undefined)
    return new Map([[name, decodeBody(body, headers['content-transfer-encoding'] ?? '7bit')]])
  const pieces = body.split(`--${boundary}`).slice(1, -1)
  return new Map(
    pieces.flatMap((piece) => {
      const part = split(piece.replace(/^\r\n/, ''))
      const own = readHeaders(part.head)
      return [...readParts(own['content-type'] ?? '', own, part.body.replace(/\r\n$/, ''))]
    }),
  )
}

function decodeBody(body: string, encoding: string): string {
  const form = encoding.toLowerCase()
  const bytes =
    form === 'base64'
      ? Buffer.from(body, 'base64').toString('latin1')
      : form === 'quoted-printable'
        ? fromQuoted(body.replaceAll(/=\r\n/g, ''))
        : body
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n')
}

const fromQuoted = (text: string) =>
  text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
