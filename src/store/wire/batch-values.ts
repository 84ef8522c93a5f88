// Encodes the columns of a batch as PostgreSQL binary arrays. As text, encoding and parsing would cost both sides more
// than the rows themselves.

/** One column of a batch. It must be encoded before it is given to pg, which cannot recover from a value that fails. */
export class BatchColumn {
  readonly values: readonly unknown[]
  readonly encode: () => Buffer

  constructor(values: readonly unknown[], encode: () => Buffer) {
    this.values = values
    this.encode = encode
  }
}

const BIGINT = { oid: 20, bytes: 8 }
const SMALLINT = { oid: 21, bytes: 2 }
const INTEGER = { oid: 23, bytes: 4 }
const XID = { oid: 28, bytes: 4 }
const INSTANT = { oid: 1184, bytes: 8 }
const BOOLEAN = { oid: 16, bytes: 1 }
const UUID = { oid: 2950, bytes: 16 }
const TEXT = 25
const BYTEA = 17

const HEADER_BYTES = 20
const EMPTY_BYTES = 12
const LENGTH_BYTES = 4
const NULL_LENGTH = -1
// PostgreSQL counts microseconds from the year 2000.
const EPOCH_MS = Date.UTC(2000, 0, 1)
const TWO_POW_32 = 2 ** 32

type Fixed = { oid: number; bytes: number }

export const bigints = (values: readonly (number | null)[]) => fixed(BIGINT, values, writeWhole)
export const smallints = (values: readonly (number | null)[]) =>
  fixed(SMALLINT, values, (buffer, value, at) => buffer.writeInt16BE(value, at))
export const integers = (values: readonly (number | null)[]) =>
  fixed(INTEGER, values, (buffer, value, at) => buffer.writeInt32BE(value, at))
/** Transaction ids. */
export const xids = (values: readonly number[]) =>
  fixed(XID, values, (buffer, value, at) => buffer.writeUInt32BE(value, at))
export const booleans = (values: readonly boolean[]) =>
  fixed(BOOLEAN, values, (buffer, value, at) => buffer.writeUInt8(value ? 1 : 0, at))
export const instants = (values: readonly (Date | null)[]) =>
  fixed(INSTANT, values, (buffer, value, at) => writeWhole(buffer, toMicros(value), at))
export const uuids = (values: readonly string[]) =>
  fixed(UUID, values, (buffer, value, at) => buffer.write(value.replaceAll('-', ''), at, 'hex'))

export const texts = (values: readonly (string | null)[]) =>
  varying(TEXT, values, {
    size: (value) => Buffer.byteLength(value),
    write: (buffer, value, at) => buffer.write(value, at),
  })
export const byteas = (values: readonly Buffer[]) =>
  varying(BYTEA, values, {
    size: (value) => value.length,
    write: (buffer, value, at) => value.copy(buffer, at),
  })

type Varying<Value> = {
  size(value: Value): number
  /** Returns the number of bytes written. */
  write(buffer: Buffer, value: Value, at: number): number
}

function varying<Value>(
  oid: number,
  values: readonly (Value | null)[],
  encoding: Varying<Value>,
): BatchColumn {
  return new BatchColumn(values, () => encodeVarying(oid, values, encoding))
}

function encodeVarying<Value>(
  oid: number,
  values: readonly (Value | null)[],
  { size, write }: Varying<Value>,
): Buffer {
  const sizes = values.map((value) => (value === null ? 0 : size(value)))
  const total = sizes.reduce((sum, each) => sum + each, 0)
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + values.length * LENGTH_BYTES + total)
  let at = writeHeader(buffer, oid, values)
  values.forEach((value, i) => {
    at = buffer.writeInt32BE(value === null ? NULL_LENGTH : (sizes[i] ?? 0), at)
    if (value !== null) at += write(buffer, value, at)
  })
  return buffer.subarray(0, at)
}

type Write<Value> = (buffer: Buffer, value: Value, at: number) => void

function fixed<Value>(
  type: Fixed,
  values: readonly (Value | null)[],
  write: Write<Value>,
): BatchColumn {
  return new BatchColumn(values, () => encodeFixed(type, values, write))
}

function encodeFixed<Value>(
  { oid, bytes }: Fixed,
  values: readonly (Value | null)[],
  write: Write<Value>,
): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + values.length * (LENGTH_BYTES + bytes))
  let at = writeHeader(buffer, oid, values)
  for (const value of values) {
    at = buffer.writeInt32BE(value === null ? NULL_LENGTH : bytes, at)
    if (value === null) continue
    write(buffer, value, at)
    at += bytes
  }
  return buffer.subarray(0, at)
}

/** Returns the offset of the first element. An empty array has no dimensions. */
function writeHeader(buffer: Buffer, oid: number, values: readonly unknown[]): number {
  const isEmpty = values.length === 0
  buffer.writeInt32BE(isEmpty ? 0 : 1, 0)
  buffer.writeInt32BE(values.includes(null) ? 1 : 0, 4)
  buffer.writeInt32BE(oid, 8)
  if (isEmpty) return EMPTY_BYTES
  buffer.writeInt32BE(values.length, 12)
  buffer.writeInt32BE(1, 16)
  return HEADER_BYTES
}

export function toMicros(at: Date): number {
  return (at.getTime() - EPOCH_MS) * 1000
}

/** Writes an integer below 2^53 as two halves of eight bytes. */
export function writeWhole(buffer: Buffer, value: number, at: number): void {
  const high = Math.floor(value / TWO_POW_32)
  buffer.writeInt32BE(high, at)
  buffer.writeUInt32BE(value - high * TWO_POW_32, at + 4)
}
