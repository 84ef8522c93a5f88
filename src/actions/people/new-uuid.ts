import { randomBytes } from 'node:crypto'
import { uuidV7 } from '../../domain/id.ts'
import type { Tx } from '../../store/db.ts'

/** An id that sorts by the transaction's time. */
export function newUuid({ now }: Tx): string {
  const unixMicros = BigInt(now.getTime()) * 1000n
  return uuidV7({ unixMicros, sequence: 0, random: randomBytes(8) })
}
