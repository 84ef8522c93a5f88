import { randomBytes } from 'node:crypto'
import { uuidV7 } from '../../domain/values/id.ts'

/**
 * An id that sorts by its time (a bigint is in microseconds), then by its position among ids of that time. In a
 * transaction, use its `newUuid()`.
 */
export function newUuid(at: Date | bigint, sequence = 0): string {
  const unixMicros = typeof at === 'bigint' ? at : BigInt(at.getTime()) * 1000n
  return uuidV7({ unixMicros, sequence, random: randomBytes(8) })
}
