import { randomBytes } from 'node:crypto'
import { uuidV7 } from '../../domain/values/id.ts'
import type { Tx } from '../../store/core/db.ts'

/** An id that sorts by the transaction's time. */
export function newUuid({ now }: Tx): string {
  const unixMicros = BigInt(now.getTime()) * 1000n
  return uuidV7({ unixMicros, sequence: 0, random: randomBytes(8) })
}
