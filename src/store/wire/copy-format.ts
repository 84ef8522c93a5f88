// Rows in the binary format of COPY. Each row starts with its field count, each field with its length.
import { toMicros, writeWhole } from './batch-values.ts'

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const NULL_LENGTH = -1
const END = -1

export class CopyFormat {
  readonly #buffer: Buffer
  #at = SIGNATURE.length

  /** `maxRowBytes`: 2 per row, plus 4 and its own size per field. */
  constructor(rows: number, maxRowBytes: number) {
    this.#buffer = Buffer.allocUnsafe(SIGNATURE.length + rows * maxRowBytes + 2)
    SIGNATURE.copy(this.#buffer)
  }

  row(fields: number): void {
    this.#at = this.#buffer.writeInt16BE(fields, this.#at)
  }

  bigint(value: number): void {
    this.#at = this.#buffer.writeInt32BE(8, this.#at)
    writeWhole(this.#buffer, value, this.#at)
    this.#at += 8
  }

  instant(value: Date): void {
    this.bigint(toMicros(value))
  }

  integer(value: number | null): void {
    this.#at = this.#buffer.writeInt32BE(value === null ? NULL_LENGTH : 4, this.#at)
    if (value !== null) this.#at = this.#buffer.writeInt32BE(value, this.#at)
  }

  smallint(value: number | null): void {
    this.#at = this.#buffer.writeInt32BE(value === null ? NULL_LENGTH : 2, this.#at)
    if (value !== null) this.#at = this.#buffer.writeInt16BE(value, this.#at)
  }

  end(): Buffer {
    this.#at = this.#buffer.writeInt16BE(END, this.#at)
    return this.#buffer.subarray(0, this.#at)
  }
}
