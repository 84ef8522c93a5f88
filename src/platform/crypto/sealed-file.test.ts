import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { type FileSecret, openFile, SealedFileError, sealFile } from './sealed-file.ts'

const KEY: FileSecret = { kind: 'KEY', bytes: randomBytes(32) }
const PASSPHRASE: FileSecret = { kind: 'PASSPHRASE', bytes: Buffer.from('correct horse battery') }
const HEADER = 25
const CHUNK = 64 * 1024
const SEALED_CHUNK = 4 + CHUNK + 16

async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of chunks) pieces.push(piece)
  return Buffer.concat(pieces)
}
const seal = (plain: Buffer, secret = KEY) => all(sealFile(secret, [plain]))
const open = (sealed: Buffer, secret = KEY) => all(openFile(secret, [sealed]))
const isRefused = (sealed: Buffer, secret = KEY) =>
  assert.rejects(open(sealed, secret), SealedFileError)

for (const size of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 7])
  test(`${size} bytes come back, in pieces of any size`, async () => {
    const plain = randomBytes(size)
    const sealed = await seal(plain)
    assert.deepEqual(await open(sealed), plain)
    const pieces = Array.from({ length: Math.ceil(sealed.length / 1000) }, (_, i) =>
      sealed.subarray(i * 1000, (i + 1) * 1000),
    )
    assert.deepEqual(await all(openFile(KEY, pieces)), plain)
  })

test('a passphrase opens what it sealed, and another does not', async () => {
  const sealed = await seal(Buffer.from('secret'), PASSPHRASE)
  assert.equal((await open(sealed, PASSPHRASE)).toString(), 'secret')
  await isRefused(sealed, { kind: 'PASSPHRASE', bytes: Buffer.from('correct horse batterx') })
  await assert.rejects(open(sealed, KEY), /sealed with a passphrase/)
})

test('another key does not open it, and nothing of the content is in the file', async () => {
  const sealed = await seal(Buffer.from('known text'))
  assert.ok(!sealed.includes('known'))
  await isRefused(sealed, { kind: 'KEY', bytes: randomBytes(32) })
  await assert.rejects(open(sealed, PASSPHRASE), /sealed with a key/)
})

test('chunks cannot be cut off, left out, repeated, swapped or added', async () => {
  const sealed = await seal(randomBytes(3 * CHUNK))
  const header = sealed.subarray(0, HEADER)
  const chunk = (no: number) =>
    sealed.subarray(HEADER + no * SEALED_CHUNK, HEADER + (no + 1) * SEALED_CHUNK)
  const [first, second, last] = [chunk(0), chunk(1), chunk(2)]
  assert.deepEqual(Buffer.concat([header, first, second, last]), sealed)
  for (const changed of [
    [header, first, second],
    [header, first, last],
    [header, second, last],
    [header, first, first, second, last],
    [header, second, first, last],
    [header, first, second, last, last],
    [header, first, second, last, Buffer.of(0)],
    [header],
    [header.subarray(0, 10)],
    [],
  ])
    await isRefused(Buffer.concat(changed))
})

test('a length over the bound is refused before it is read', async () => {
  const sealed = await seal(Buffer.from('x'))
  sealed.writeUInt32BE(0x7fff_ffff, HEADER)
  await isRefused(sealed)
})

test('any changed bit is noticed', async () => {
  const sealed = await seal(randomBytes(200))
  await fc.assert(
    fc.asyncProperty(fc.nat(sealed.length * 8 - 1), async (bit) => {
      const changed = Buffer.from(sealed)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      await isRefused(changed)
    }),
    { numRuns: 300 },
  )
})

test('random bytes are refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) =>
      isRefused(Buffer.from(bytes)),
    ),
    { numRuns: 300 },
  )
})
