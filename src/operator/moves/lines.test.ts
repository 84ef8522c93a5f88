import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  MOVE_FORMAT,
  type MovedRow,
  type MoveManifest,
} from '../../domain/operating/organization-move.ts'
import { MoveInError } from '../../store/operating/move-in-error.ts'
import { readLines, toLines } from './lines.ts'

const MANIFEST: MoveManifest = {
  format: MOVE_FORMAT,
  schema: '0051',
  orgId: '01920000-0000-7000-8000-000000000001',
  name: 'Ünïcode\n"quoted"',
  key: Buffer.alloc(32).toString('base64'),
  frozenAt: '2026-11-16T12:00:00.000Z',
  firstDay: '2026-11-16',
  people: [],
}
const ROWS: MovedRow[] = [
  { monitor: null, region: null, json: '{"name": "a"}' },
  { monitor: MANIFEST.orgId, region: 'eu', json: '{"name": "ü"}' },
]

async function* tables() {
  yield { name: 'monitors', rows: batches() }
  yield { name: 'tags', rows: none() }
}
async function* batches() {
  for (const row of ROWS) yield [row]
}
async function* none(): AsyncGenerator<MovedRow[]> {
  // An organization may have no row in a table.
  yield* []
}
async function* pieces(text: Buffer, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size)
}

async function write(): Promise<{ bytes: Buffer; rows: number }> {
  let rows = 0
  const parts: Buffer[] = []
  const lines = toLines(MANIFEST, tables(), (count) => {
    rows += count
  })
  for await (const part of lines) parts.push(part)
  return { bytes: Buffer.concat(parts), rows }
}

async function read(bytes: Buffer, size = 7): Promise<string[]> {
  const lines: string[] = []
  for await (const line of readLines(pieces(bytes, size))) lines.push(line)
  return lines
}

test('lines come back, in pieces of any size', async () => {
  const { bytes, rows } = await write()
  assert.equal(rows, ROWS.length)
  for (const size of [1, 2, 7, 100, bytes.length]) {
    const lines = await read(bytes, size)
    assert.deepEqual(JSON.parse(lines[0] ?? ''), MANIFEST)
    assert.equal(lines.length, 1 + 2 + ROWS.length)
  }
})

// What a file could contain that was sealed with the right key.
const CHANGES: [what: string, change: (text: string) => string, refusal: RegExp][] = [
  ['without its end', (text) => text.slice(0, text.lastIndexOf('E\t')), /checksum/],
  ['without a row', (text) => text.replace(/^R.*\n/m, ''), /checksum/],
  ['with a changed row', (text) => text.replace('"a"', '"b"'), /checksum/],
  ['with a row twice', (text) => text.replace(/^(R.*\n)/m, '$1$1'), /checksum/],
  ['with lines after its end', (text) => `${text}T\tmore\n`, /continues after its end/],
  ['that ends in a line', (text) => text.slice(0, -1), /middle of a line/],
  ['that is empty', () => '', /checksum/],
]
for (const [what, change, refusal] of CHANGES)
  test(`a file ${what} is refused`, async () => {
    const { bytes } = await write()
    await assert.rejects(read(Buffer.from(change(bytes.toString())), 1000), (error: Error) => {
      assert.ok(error instanceof MoveInError)
      assert.match(error.message, refusal)
      return true
    })
  })

test('a line without an end is refused before it fills the memory', async () => {
  let sent = 0
  const endless = async function* () {
    for (;;) {
      sent += 1
      yield Buffer.alloc(1024 * 1024, 'x')
    }
  }
  const reading = (async () => {
    for await (const line of readLines(endless())) assert.fail(line.slice(0, 10))
  })()
  await assert.rejects(reading, /too long/)
  assert.ok(sent < 40, `${sent} MiB were read`)
})
