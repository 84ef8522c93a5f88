// The messages of PostgreSQL's protocol, as far as a server needs them that passes them on.
export type Message = { type: string; bytes: Buffer }

const HEADER_BYTES = 5

/** Cuts a stream into messages. The first message of a connection has no type. */
export class MessageReader {
  #buffered: Buffer = Buffer.alloc(0)
  #isStarted = false

  read(chunk: Buffer): Message[] {
    this.#buffered = this.#buffered.length === 0 ? chunk : Buffer.concat([this.#buffered, chunk])
    const messages: Message[] = []
    for (;;) {
      const start = this.#isStarted ? 1 : 0
      if (this.#buffered.length < start + 4) break
      const end = start + this.#buffered.readInt32BE(start)
      if (this.#buffered.length < end) break
      const bytes = this.#buffered.subarray(0, end)
      messages.push({ type: this.#isStarted ? String.fromCharCode(bytes[0] ?? 0) : 'start', bytes })
      this.#isStarted = true
      this.#buffered = this.#buffered.subarray(end)
    }
    return messages
  }
}

/** The messages of a complete response. */
export function* messagesIn(response: Buffer): Generator<Message> {
  for (let at = 0; at + HEADER_BYTES <= response.length; ) {
    const end = at + 1 + response.readInt32BE(at + 1)
    yield { type: String.fromCharCode(response[at] ?? 0), bytes: response.subarray(at, end) }
    at = end
  }
}

export function textAt(bytes: Buffer, from: number): string {
  return bytes.toString('utf8', from, bytes.indexOf(0, from))
}

/** Parameters of the first message. */
export function startParameters({ bytes }: Message): Map<string, string> {
  const words = bytes.toString('utf8', 8).split('\0')
  const parameters = new Map<string, string>()
  for (let i = 0; i + 1 < words.length; i += 2) parameters.set(words[i] ?? '', words[i + 1] ?? '')
  return parameters
}

function message(type: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)),
  )
  const header = Buffer.alloc(HEADER_BYTES)
  header.write(type, 'latin1')
  header.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}

const ints = (...values: number[]) => {
  const buffer = Buffer.alloc(values.length * 4)
  values.forEach((value, i) => {
    buffer.writeInt32BE(value, i * 4)
  })
  return buffer
}

export const WELCOME = Buffer.concat([
  message('R', ints(0)),
  message('S', 'server_version', '18.6'),
  message('S', 'client_encoding', 'UTF8'),
  message('K', ints(1, 1)),
  message('Z', Buffer.from('I')),
])
export const PARSED = message('1')
export const SYNC = message('S')

export const simpleQuery = (text: string) => message('Q', text)
export const closeStatement = (name: string) => message('C', Buffer.from('S'), name)

export const ENDED = {
  commit: Buffer.concat([message('C', 'COMMIT'), message('Z', Buffer.from('I'))]),
  rollback: Buffer.concat([message('C', 'ROLLBACK'), message('Z', Buffer.from('I'))]),
}

/** The same response when a transaction is open (`T`), or none (`I`). */
export function withState(response: Buffer, state: 'T' | 'I'): Buffer {
  const copy = Buffer.from(response)
  copy.write(state, copy.length - 1, 'latin1')
  return copy
}

const shorts = (...values: number[]) => {
  const buffer = Buffer.alloc(values.length * 2)
  values.forEach((value, i) => {
    buffer.writeInt16BE(value, i * 2)
  })
  return buffer
}
const column = (name: string, type: number, [bytes]: [bytes: number]) =>
  Buffer.concat([
    Buffer.from(`${name}\0`),
    ints(0),
    shorts(0),
    ints(type),
    shorts(bytes),
    ints(-1),
    shorts(0),
  ])
const value = (text: string) => Buffer.concat([ints(Buffer.byteLength(text)), Buffer.from(text)])
const [TEXT, TIMESTAMPTZ] = [25, 1184]
const BEGUN = Buffer.concat([
  message('C', 'BEGIN'),
  message('T', shorts(2), column('set_config', TEXT, [-1]), column('now', TIMESTAMPTZ, [8])),
])

/** What `begin; select set_config('app.org', …), now() as now` is answered. */
export function begun(orgId: string, nowMs: number): Buffer {
  const [date, time = ''] = new Date(nowMs).toISOString().split('T')
  const now = `${date} ${time.replace(/\.?0*Z$/, '')}+00`
  return Buffer.concat([
    BEGUN,
    message('D', shorts(2), value(orgId), value(now)),
    message('C', 'SELECT 1'),
    message('Z', Buffer.from('T')),
  ])
}
