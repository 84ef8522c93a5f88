import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toQr } from './qr.ts'

const bitsOf = (cells: readonly (boolean | undefined)[]) => cells.map(Number).join('')

// Level L with each of the eight masks, as the standard writes it beside the finders.
const FORMATS = [
  '111011111000100',
  '111001011110011',
  '111110110101010',
  '111100010011101',
  '110011000101111',
  '110001100011000',
  '110110001000001',
  '110100101110110',
]
const MASKS: ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
]

function formatOf(rows: readonly boolean[][]): string {
  const format = [0, 1, 2, 3, 4, 5, 7, 8].map((column) => rows[8]?.[column])
  const up = [7, 5, 4, 3, 2, 1, 0].map((row) => rows[row]?.[8])
  return bitsOf([...format, ...up])
}

test('toQr: level L and the mask stand beside the finders as the standard writes them', () => {
  const rows = toQr('upvane')
  assert.equal(rows.length, 21)
  assert.ok(FORMATS.includes(formatOf(rows)), formatOf(rows))
})

test('toQr: the mask depends on the text', () => {
  const masks = new Set(Array.from({ length: 30 }, (_, at) => formatOf(toQr(`upvane ${at}`))))
  assert.ok(masks.size > 1)
})

test('toQr: version 7 names itself as the standard writes it', () => {
  const rows = toQr('x'.repeat(150))
  assert.equal(rows.length, 45)
  const cells = Array.from({ length: 18 }, (_, at) => rows[Math.floor(at / 3)]?.[34 + (at % 3)])
  assert.equal(bitsOf(cells.toReversed()), '000111110010010100')
})

test('toQr: three finders, each seven modules wide with a white border', () => {
  const rows = toQr('otpauth://totp/Upvane:ana%40example.com?secret=ABCDEFGH&issuer=Upvane')
  const edge = rows.length
  for (const [row, column] of [
    [0, 0],
    [0, edge - 7],
    [edge - 7, 0],
  ] as const) {
    const line = (down: number) => bitsOf(rows[row + down]?.slice(column, column + 7) ?? [])
    assert.deepEqual([0, 1, 2, 3, 4, 5, 6].map(line), [
      '1111111',
      '1000001',
      '1011101',
      '1011101',
      '1011101',
      '1000001',
      '1111111',
    ])
  }
})

// Version 1 has one block. Its bytes are a code word if every root of the generator evaluates to zero.
test('toQr: what is read back is the text, and its Reed-Solomon syndromes are zero', () => {
  const rows = toQr('upvane.example')
  const isMasked = MASKS[FORMATS.indexOf(formatOf(rows))]
  assert.ok(isMasked)
  const bytes = readBytes(rows, isMasked)
  assert.equal(bytes.length, 26)
  const length = ((bytes[0] ?? 0) & 15) * 16 + ((bytes[1] ?? 0) >> 4)
  const text = Array.from({ length }, (_, at) =>
    String.fromCharCode((((bytes[at + 1] ?? 0) & 15) << 4) | ((bytes[at + 2] ?? 0) >> 4)),
  )
  assert.equal(text.join(''), 'upvane.example')
  for (let power = 0; power < 7; power++) {
    const root = powerOfTwo(power)
    assert.equal(
      bytes.reduce((sum, byte) => multiply(sum, root) ^ byte, 0),
      0,
    )
  }
})

test('toQr: a text that is too long is refused', () => {
  assert.throws(() => toQr('x'.repeat(600)), /too long/)
})

/** In the field of 256 elements that QR codes use. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((b >> bit) & 1) * a
  }
  return product
}

function powerOfTwo(power: number): number {
  return power === 0 ? 1 : multiply(powerOfTwo(power - 1), 2)
}

/** Version 1 has no alignment pattern: everything except finders, format and timing is data. */
function readBytes(
  rows: readonly boolean[][],
  isMasked: (row: number, column: number) => boolean,
): number[] {
  const isData = (row: number, column: number) =>
    row !== 6 &&
    column !== 6 &&
    !(row < 9 && column < 9) &&
    !(row < 9 && column > 12) &&
    !(row > 12 && column < 9)
  const pairs = [20, 18, 16, 14, 12, 10, 8, 5, 3, 1]
  const bits = pairs.flatMap((right, turn) =>
    Array.from({ length: 42 }, (_, step) => {
      const row = turn % 2 === 0 ? 20 - (step >> 1) : step >> 1
      const column = right - (step & 1)
      const bit = Number(rows[row]?.[column]) ^ Number(isMasked(row, column))
      return isData(row, column) ? [bit] : []
    }).flat(),
  )
  return Array.from({ length: 26 }, (_, at) =>
    Number.parseInt(bits.slice(at * 8, at * 8 + 8).join(''), 2),
  )
}
