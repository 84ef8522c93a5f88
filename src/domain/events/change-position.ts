// How far somebody has been told what changed: a snapshot of the database, which says of every transaction whether
// its changes are known. Transactions commit in another order than they begin, so neither a time nor an id could.

export type ChangePosition = {
  /** The database's time when it was taken. */
  at: Date
  /** Every transaction before this one is known. */
  xmin: number
  /** Neither this one nor any after it is known, */
  xmax: number
  /** nor those between them that were still running. */
  running: readonly number[]
}

// More than a database of ours has connections.
const MAX_RUNNING = 1_000
const MAX_TEXT = 8_000
const MAX_TRANSACTION = 2 ** 53 - 1
// The transactions between the two are counted as PostgreSQL's integer. We never write a longer distance.
const MAX_DISTANCE = 2 ** 31 - 1
const FORM = /^[0-9a-z]{1,9}-[0-9a-z]{1,11}-[0-9a-z]{1,6}(?:-[0-9a-z]{1,6}(?:\.[0-9a-z]{1,6})*)?$/
const SNAPSHOT = /^(\d+):(\d+):((?:\d+(?:,\d+)*)?)$/

/** PostgreSQL's own form, `xmin:xmax:running,…`. */
export function toPosition(snapshot: string, at: Date): ChangePosition {
  const [, xmin, xmax, running] = SNAPSHOT.exec(snapshot) ?? []
  if (xmin === undefined || xmax === undefined) throw new TypeError(`No snapshot: ${snapshot}`)
  const list = running ? running.split(',').map(Number) : []
  return { at, xmin: Number(xmin), xmax: Number(xmax), running: list }
}

/** Short, as it goes out with every message: what follows the first transaction is told from it. */
export function writePosition({ at, xmin, xmax, running }: ChangePosition): string {
  const later = running.map((xid) => (xid - xmin).toString(36)).join('.')
  const parts = [at.getTime(), xmin, xmax - xmin].map((part) => part.toString(36))
  return [...parts, ...(later === '' ? [] : [later])].join('-')
}

/** Undefined for anything that was never one of ours. */
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

/** Whether everything that is known at `other` is known at `position` too. */
export function isAtLeast(position: ChangePosition, other: ChangePosition): boolean {
  if (position.xmax < other.xmax) return false
  return position.running.every((xid) => !isKnownAt(other, xid))
}

/** Whether it is too long ago for all that changed since to be told. */
export function isTooOld({ at }: ChangePosition, now: Date, replaySeconds: number): boolean {
  return now.getTime() - at.getTime() > replaySeconds * 1000
}
