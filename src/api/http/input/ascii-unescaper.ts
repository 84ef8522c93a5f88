// A JSON text as it arrives, with what needs no escape written plainly: six bytes such as \u0061 become one. What follows
// then judges, keeps and parses what is said, and not how it was written. It works in pieces, as they arrive.

const [QUOTE, BACKSLASH, LETTER_U] = [0x22, 0x5c, 0x75]
const [FIRST_VISIBLE, LAST_VISIBLE] = [0x20, 0x7e]
const ESCAPE_BYTES = 6
const NOTHING = Buffer.alloc(0)

export class AsciiUnescaper {
  #isInText = false
  /** The start of an escape whose end has not arrived. */
  #rest: Buffer = NOTHING

  add(chunk: Buffer): Buffer {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    return bytes.includes(BACKSLASH) ? this.#rewrite(bytes) : this.#passOn(bytes)
  }

  /** What is left at the end is no whole escape. */
  end(): Buffer {
    return this.#rest
  }

  #passOn(bytes: Buffer): Buffer {
    for (let at = bytes.indexOf(QUOTE); at !== -1; at = bytes.indexOf(QUOTE, at + 1))
      this.#isInText = !this.#isInText
    this.#rest = NOTHING
    return bytes
  }

  #rewrite(bytes: Buffer): Buffer {
    const written = Buffer.allocUnsafe(bytes.length)
    let [length, at] = [0, 0]
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0
      if (byte !== BACKSLASH || !this.#isInText) {
        if (byte === QUOTE) this.#isInText = !this.#isInText
        written[length++] = byte
        at++
        continue
      }
      if (at + ESCAPE_BYTES > bytes.length) break
      const plain = plainOf(bytes, at)
      written[length++] = plain ?? byte
      if (plain === undefined) written[length++] = bytes[at + 1] ?? 0
      at += plain === undefined ? 2 : ESCAPE_BYTES
    }
    this.#rest = at === bytes.length ? NOTHING : Buffer.from(bytes.subarray(at))
    return written.subarray(0, length)
  }
}

/** The character that an escape stands for, if it may stand for itself. */
function plainOf(bytes: Buffer, at: number): number | undefined {
  if (bytes[at + 1] !== LETTER_U || bytes[at + 2] !== 0x30 || bytes[at + 3] !== 0x30)
    return undefined
  const [high, low] = [digitOf(bytes[at + 4]), digitOf(bytes[at + 5])]
  if (high === undefined || low === undefined) return undefined
  const code = high * 16 + low
  const isPlain = code >= FIRST_VISIBLE && code <= LAST_VISIBLE
  return isPlain && code !== QUOTE && code !== BACKSLASH ? code : undefined
}

/** Of a hexadecimal digit. */
function digitOf(byte = 0): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined
}
