// The choice of when the next update follows. Pure.

export const NEXT_UPDATE_CHOICES = ['NONE', '30', '60', '120', 'OWN'] as const
export type NextUpdateChoice = (typeof NEXT_UPDATE_CHOICES)[number]
/** `at` counts only for a time of one's own. */
export type NextUpdate = { choice: NextUpdateChoice; at: string }

export const NO_NEXT_UPDATE: NextUpdate = { choice: 'NONE', at: '' }
const MINUTE_MS = 60_000
const FIRST_GUESS_MS = 60 * MINUTE_MS

/** Undefined if nothing is promised. What cannot be read is sent as it is: the server rejects it. */
export function nextUpdateTime({ choice, at }: NextUpdate, now: Date): string | undefined {
  if (choice === 'NONE') return undefined
  if (choice === 'OWN') return at
  return wholeMinute(now.getTime() + Number(choice) * MINUTE_MS)
}

/** A time to start from, for a choice of one's own. */
export const firstGuess = (now: Date): string => wholeMinute(now.getTime() + FIRST_GUESS_MS)

/** Up, so that a time is never promised earlier than was chosen. */
const wholeMinute = (ms: number): string =>
  new Date(Math.ceil(ms / MINUTE_MS) * MINUTE_MS).toISOString()

export const isOverdue = (nextUpdateBy: string, nowMs: number): boolean =>
  Date.parse(nextUpdateBy) <= nowMs
