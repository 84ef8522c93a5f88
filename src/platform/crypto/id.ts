import { randomBytes } from 'node:crypto'

/** An id for people to quote. It carries no information and is never stored as a key. */
export function newRequestId(): string {
  return `req_${randomBytes(15).toString('hex').slice(0, 26)}`
}
