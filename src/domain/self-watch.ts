// Whether this installation does its work, and when somebody outside is told that it does not. Pure: from what was seen
// just now and how it stood before.

/** What the database shows; undefined: it does not answer. */
export type Look = {
  hasScheduler: boolean
  /** Shards with a slot that is due for too long. */
  lateShards: number
  /** Something people are to be told was left lying for too long. */
  hasUntold: boolean
}

/** In words, for an operator. `own` are those the process itself knows of. */
export function troublesOf(look: Look | undefined, own: readonly string[]): string[] {
  if (look === undefined) return ['The database does not answer', ...own]
  return [
    ...(look.hasScheduler ? [] : ['No scheduler is running']),
    ...(look.lateShards > 0 ? ['Checks are late'] : []),
    ...(look.hasUntold ? ['Alerts are not being sent'] : []),
    ...own,
  ]
}

/** `since`: when the trouble was first seen. `changedAt`: since when it looks otherwise than it is taken for. */
export type Watch = {
  isTroubled: boolean
  since: Date | null
  changedAt: Date | null
  troubles: readonly string[]
}

export const CALM: Watch = { isTroubled: false, since: null, changedAt: null, troubles: [] }

/** A trouble, and its end, must stand for a while: a hiccup is nobody's business. */
export function watchOn(
  before: Watch,
  troubles: readonly string[],
  { now, patienceMs }: { now: Date; patienceMs: number },
): Watch {
  const isBad = troubles.length > 0
  if (isBad === before.isTroubled)
    return { ...before, changedAt: null, troubles: isBad ? troubles : [] }
  const changedAt = before.changedAt ?? now
  const stands = now.getTime() - changedAt.getTime() >= patienceMs
  if (!stands) return { ...before, changedAt }
  if (isBad) return { isTroubled: true, since: changedAt, changedAt: null, troubles }
  return CALM
}

export type Signal = 'WELL' | 'FAIL'

/** What the heartbeat says; undefined: nothing, as it is not clear yet how it stands. */
export function signalOf({ isTroubled, changedAt }: Watch): Signal | undefined {
  if (isTroubled) return 'FAIL'
  return changedAt === null ? 'WELL' : undefined
}

const SHARDS = 256
const MAX_ROWS = 20_000

/** Shards to look into in this round: all of a small installation, else as many as are read in no time. */
export function shardsOfRound(monitors: number, round: number): number[] {
  const perShard = Math.max(1, monitors / SHARDS)
  const count = Math.min(SHARDS, Math.max(1, Math.floor(MAX_ROWS / perShard)))
  return Array.from({ length: count }, (_, i) => (round * count + i) % SHARDS)
}
