// A document as bytes: rendered once per snapshot, compressed once per requested encoding.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

type Encoding = 'br' | 'zstd' | 'gzip' | 'identity'

// Ordered by resulting size.
const ENCODINGS: readonly Exclude<Encoding, 'identity'>[] = ['br', 'zstd', 'gzip']
const TOO_SMALL_BYTES = 512
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }
const GZIP = { level: 7 }

// On other threads: a large page takes tens of milliseconds.
const toBrotli = promisify(brotliCompress)
const toZstd = promisify(zstdCompress)
const toGzip = promisify(gzip)
const COMPRESS = {
  br: (body: Buffer) => toBrotli(body, BROTLI),
  zstd: (body: Buffer) => toZstd(body),
  gzip: (body: Buffer) => toGzip(body, GZIP),
}

export class Rendition {
  readonly type: string
  readonly body: Buffer
  /** Weak, because it is the same for every encoding. */
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  readonly #compressed = new Map<Encoding, Buffer>()
  readonly #compressing = new Map<Encoding, Promise<Buffer>>()

  constructor(text: string, type: string, headers: Readonly<Record<string, string>> = {}) {
    this.body = Buffer.from(text)
    this.type = type
    this.headers = headers
    this.etag = `W/"${createHash('sha256').update(this.body).digest('base64url').slice(0, 22)}"`
  }

  async encoded(encoding: Encoding): Promise<Buffer> {
    if (encoding === 'identity') return this.body
    const known = this.#compressed.get(encoding) ?? this.#compressing.get(encoding)
    if (known !== undefined) return known
    const compressing = COMPRESS[encoding](this.body).finally(() =>
      this.#compressing.delete(encoding),
    )
    this.#compressing.set(encoding, compressing)
    const compressed = await compressing
    this.#compressed.set(encoding, compressed)
    return compressed
  }

  /** Its size in memory. */
  get bytes(): number {
    return this.#compressed.values().reduce((sum, each) => sum + each.length, this.body.length)
  }

  encodingFor(accept: string): Encoding {
    if (this.body.length < TOO_SMALL_BYTES) return 'identity'
    const refused = new Set<string>()
    const wanted = new Set<string>()
    for (const part of accept.toLowerCase().split(',')) {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
      if (parameters.some((text) => /^q=0(?:\.0*)?$/.test(text))) refused.add(name)
      else wanted.add(name)
    }
    const pleases = (name: string) => wanted.has(name) || (wanted.has('*') && !refused.has(name))
    return ENCODINGS.find(pleases) ?? 'identity'
  }

  isKnownBy(ifNoneMatch: string): boolean {
    return ifNoneMatch
      .split(',')
      .map((tag) => tag.trim())
      .some((tag) => tag === '*' || `W/${tag.replace(/^W\//, '')}` === this.etag)
  }
}
