// Verifies signatures of the program minisign, so that a release can be verified where it is not installed.
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'

// Ed25519 in the encoding that Node reads, before the 32 bytes of the key.
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')
const ID_BYTES = 8
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
const PLAIN = 'Ed'
const HASHED = 'ED'
const COMMENT = 'trusted comment: '

export type MinisignKey = { id: string; key: KeyObject }
export type MinisignProblem = 'UNREADABLE' | 'OTHER_KEY' | 'OTHER_CONTENT' | 'OTHER_COMMENT'
type Signature = { algorithm: string; id: string; signature: Buffer; comment: string; all: Buffer }

/** The content of a .pub file, or only its last line. Undefined if it is neither. */
export function readMinisignKey(text: string): MinisignKey | undefined {
  const bytes = Buffer.from(text.trim().split('\n').at(-1) ?? '', 'base64')
  const { algorithm, id, rest } = split(bytes)
  if (algorithm !== PLAIN || rest.length !== KEY_BYTES) return undefined
  return {
    id,
    key: createPublicKey({ key: Buffer.concat([SPKI, rest]), format: 'der', type: 'spki' }),
  }
}

/** The signed comment, which names the release, or why the signature proves nothing. */
export function verifyMinisign(
  content: Buffer,
  signatureText: string,
  { id, key }: MinisignKey,
): { comment: string } | { problem: MinisignProblem } {
  const read = readSignature(signatureText)
  if (read === undefined) return { problem: 'UNREADABLE' }
  if (read.id !== id) return { problem: 'OTHER_KEY' }
  const signed =
    read.algorithm === HASHED ? createHash('blake2b512').update(content).digest() : content
  if (!verify(null, signed, key, read.signature)) return { problem: 'OTHER_CONTENT' }
  const commented = Buffer.concat([read.signature, Buffer.from(read.comment)])
  if (!verify(null, commented, key, read.all)) return { problem: 'OTHER_COMMENT' }
  return { comment: read.comment }
}

function readSignature(text: string): Signature | undefined {
  const [, encoded = '', line = '', encodedAll = ''] = text.split('\n')
  const { algorithm, id, rest } = split(Buffer.from(encoded, 'base64'))
  const all = Buffer.from(encodedAll, 'base64')
  const isKnown = algorithm === PLAIN || algorithm === HASHED
  const isWhole = rest.length === SIGNATURE_BYTES && all.length === SIGNATURE_BYTES
  if (!isKnown || !isWhole || !line.startsWith(COMMENT)) return undefined
  return { algorithm, id, signature: rest, comment: line.slice(COMMENT.length), all }
}

const split = (bytes: Buffer) => ({
  algorithm: bytes.subarray(0, 2).toString('latin1'),
  id: bytes.subarray(2, 2 + ID_BYTES).toString('hex'),
  rest: bytes.subarray(2 + ID_BYTES),
})
