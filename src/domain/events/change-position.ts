// How far a client has received changes: a database snapshot, which says for every transaction whether its changes are
// known. Transactions commit in a different order than they begin, so neither a time nor an ID would do.

export type ChangePosition = {
  /** Database time of the snapshot. */
  at: Date
  /** Every transaction before this one is known. */
  xmin: number
  /** Neither this transaction nor any later one is known. */
  xmax: number
  /** Transactions between the two that were still running, and so are not known either. */
  running: readonly number[]
}

/** Response header of every read of an organization: where a stream starts that misses nothing of it. */
export const STREAM_START_HEADER = 'Upvane-Stream-Start'
/** A longer position is not offered as a start. It would need hundreds of running transactions. */
export const MAX_START_TEXT = 1_000

// More than our databases have connections.
const MAX_RUNNING = 1_000
const MAX_TEXT = 8_000
const MAX_TRANSACTION = 2 ** 53 - 1
// PostgreSQL counts the transactions between the two as an integer. We never write a longer distance.
const MAX_DISTANCE = 2 ** 31 - 1
const FORM = /^[0-9a-z]{1,9}-[0-9a-z]{1,11}-[0-9a-z]{1,6}(?:-[0-9a-z]{1,6}(?:\.[0-9a-z]{1,6})*)?$/
const SNAPSHOT = /^(\d+):(\d+):((?:\d+(?:,\d+)*)?)$/

/** Parses PostgreSQL's own format, `xmin:xmax:running,…`. */
export function toPosition(snapshot: string, at: Date): ChangePosition {
  const [, xmin, xmax, running] = SNAPSHOT.exec(snapshot) ?? []
  if (xmin === undefined || xmax === undefined) throw new TypeError(`No snapshot: ${snapshot}`)
  const list = running ? running.split(',').map(Number) : []
  return { at, xmin: Number(xmin), xmax: Number(xmax), running: list }
}

/** Kept short because every message carries it: later transactions are written relative to `xmin`. */
export function writePosition({ at, xmin, xmax, running }: ChangePosition): string {
  const later = running.map((xid) => (xid - xmin).toString(36)).join('.')
  const parts = [at.getTime(), xmin, xmax - xmin].map((part) => part.toString(36))
  return [...parts, ...(later === '' ? [] : [later])].join('-')
}

/** Undefined for text we never wrote. */
export function readPosition(text: string): ChangePosition | undefined {
  if (text.length > MAX_TEXT || !FORM.test(text)) return undefined
  const [at = '', xmin = '', length = '', later] = text.split('-')
  const first = Number.parseInt(xmin, 36)
  const distance = Number.parseInt(length, 36)
  const xmax = first + distance
  const running = (later?.split('.') ?? []).map((each) => first + Number.parseInt(each, 36))
  const isSound = running.length <= MAX_RUNNING && running.every((xid) => xid < xmax)
  if (!isSound || xmax > MAX_TRANSACTION || distance > MAX_DISTANCE) return undefined
  return { at: new Date(Number.parseInt(at, 36)), xmin: first, xmax, running }
}

export function isKnownAt({ xmin, xmax, running }: ChangePosition, xid: number): boolean {
  return xid < xmin || (xid < xmax && !running.includes(xid))
}

/** Whether everything known at `other` is also known at `position`. */
export function isAtLeast(position: ChangePosition, other: ChangePosition): boolean {
  if (position.xmax < other.xmax) return false
  return position.running.every((xid) => !isKnownAt(other, xid))
}

/** Whether the changes since then can no longer all be replayed. */
export function isTooOld({ at }: ChangePosition, now: Date, replaySeconds: number): boolean {
  return now.getTime() - at.getTime() > replaySeconds * 1000
}
