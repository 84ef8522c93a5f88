// A file that only its passphrase or key opens: AES-256-GCM in chunks. The number of a chunk and whether it is the last are
// part of its nonce, so that chunks cannot be left out, repeated, reordered or cut off at the end.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scrypt } from 'node:crypto'

export type FileSecret = { kind: 'PASSPHRASE' | 'KEY'; bytes: Buffer }

/** The file is damaged, or the secret is another one. Nothing of the failing chunk was returned. */
export class SealedFileError extends Error {}

const MAGIC = Buffer.from('UPVMOVE1')
const KINDS: readonly FileSecret['kind'][] = ['PASSPHRASE', 'KEY']
const SALT_BYTES = 16
const HEADER_BYTES = MAGIC.length + 1 + SALT_BYTES
const KEY_BYTES = 32
const TAG_BYTES = 16
const LENGTH_BYTES = 4
const LAST_BIT = 0x8000_0000
const CHUNK_BYTES = 64 * 1024
// 128 MiB and about half a second for each guess.
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

const DAMAGED = 'The file is damaged, or the passphrase or key is wrong.'
const FOREIGN = 'This is not a file of upvane org move export.'

type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>

export async function* sealFile(secret: FileSecret, plain: Chunks): AsyncGenerator<Buffer> {
  const kind = Buffer.of(KINDS.indexOf(secret.kind))
  const header = Buffer.concat([MAGIC, kind, randomBytes(SALT_BYTES)])
  const key = await deriveKey(secret, header)
  yield header
  let number = 0
  let waiting: Buffer = Buffer.alloc(0)
  for await (const piece of plain) {
    waiting = Buffer.concat([waiting, piece])
    // More than a chunk: the last one is only known at the end.
    while (waiting.length > CHUNK_BYTES) {
      yield sealChunk(key, header, { number, isLast: false }, waiting.subarray(0, CHUNK_BYTES))
      waiting = waiting.subarray(CHUNK_BYTES)
      number += 1
    }
  }
  yield sealChunk(key, header, { number, isLast: true }, waiting)
}

/** Throws a SealedFileError at the first chunk that is not as it was written. */
export async function* openFile(secret: FileSecret, sealed: Chunks): AsyncGenerator<Buffer> {
  const reader = new ByteReader(sealed)
  const header = await reader.read(HEADER_BYTES, FOREIGN)
  if (!header.subarray(0, MAGIC.length).equals(MAGIC)) throw new SealedFileError(FOREIGN)
  if (KINDS[header[MAGIC.length] ?? -1] !== secret.kind)
    throw new SealedFileError(kindProblem(secret))
  const key = await deriveKey(secret, header)
  for (let number = 0; ; number++) {
    const length = (await reader.read(LENGTH_BYTES, DAMAGED)).readUInt32BE()
    const isLast = length >= LAST_BIT
    const bytes = isLast ? length - LAST_BIT : length
    if (bytes < TAG_BYTES || bytes > CHUNK_BYTES + TAG_BYTES) throw new SealedFileError(DAMAGED)
    yield openChunk(key, header, { number, isLast }, await reader.read(bytes, DAMAGED))
    if (isLast) break
  }
  if (!(await reader.isAtEnd())) throw new SealedFileError(DAMAGED)
}

type Position = { number: number; isLast: boolean }

function sealChunk(key: Buffer, header: Buffer, position: Position, plain: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(position)).setAAD(header)
  const sealed = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(sealed.length + (position.isLast ? LAST_BIT : 0))
  return Buffer.concat([length, sealed])
}

function openChunk(key: Buffer, header: Buffer, position: Position, sealed: Buffer): Buffer {
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(position), options).setAAD(header)
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
  const plain = decipher.update(sealed.subarray(0, sealed.length - TAG_BYTES))
  try {
    return Buffer.concat([plain, decipher.final()])
  } catch {
    throw new SealedFileError(DAMAGED)
  }
}

/** Unique, because every file has a key of its own. */
function nonceOf({ number, isLast }: Position): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number))
  nonce.writeUInt8(isLast ? 1 : 0, 8)
  return nonce
}

function kindProblem({ kind }: FileSecret): string {
  return kind === 'KEY'
    ? 'The file was sealed with a passphrase: give --passphrase-file.'
    : 'The file was sealed with a key: give --key-file.'
}

function deriveKey({ kind, bytes }: FileSecret, header: Buffer): Promise<Buffer> {
  const salt = header.subarray(HEADER_BYTES - SALT_BYTES)
  if (kind === 'KEY')
    return Promise.resolve(Buffer.from(hkdfSync('sha256', bytes, salt, MAGIC, KEY_BYTES)))
  return new Promise((resolve, reject) => {
    scrypt(bytes, salt, KEY_BYTES, SCRYPT, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

/** Reads exact amounts. Holds at most one piece more than was asked for. */
class ByteReader {
  readonly #pieces: AsyncIterator<Buffer> | Iterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: Chunks) {
    this.#pieces =
      Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  }

  async read(bytes: number, problem: string): Promise<Buffer> {
    const pieces = [this.#rest]
    let length = this.#rest.length
    while (length < bytes) {
      const { done, value } = await this.#pieces.next()
      if (done) throw new SealedFileError(problem)
      pieces.push(value)
      length += value.length
    }
    const all = Buffer.concat(pieces)
    this.#rest = all.subarray(bytes)
    return all.subarray(0, bytes)
  }

  async isAtEnd(): Promise<boolean> {
    if (this.#rest.length > 0) return false
    for (;;) {
      const { done, value } = await this.#pieces.next()
      if (done) return true
      if (value.length > 0) return false
    }
  }
}
