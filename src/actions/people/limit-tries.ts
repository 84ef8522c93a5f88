import { ApiError } from '../../platform/api-error.ts'
import type { Database } from '../../store/db.ts'
import { countTry, takeBackTry } from '../../store/sign-in-windows.ts'

type Limit = { subject: string; limit: number }

/**
 * Runs `attempt` unless one of the subjects has had too many tries. The try is counted and committed before it
 * runs, so that a thousand at once are a thousand; one that succeeds is taken back.
 */
export async function limitTries<T>(
  people: Database,
  limits: readonly Limit[],
  attempt: () => Promise<T | undefined>,
): Promise<T | undefined> {
  await limitAsking(people, limits)
  const outcome = await attempt()
  if (outcome === undefined) return undefined
  const subjects = limits.map(({ subject }) => subject)
  await takeBackTry(people, subjects)
  return outcome
}

/** Counts one more, whatever comes of it, and refuses when it is one too many. */
export async function limitAsking(people: Database, limits: readonly Limit[]): Promise<void> {
  const subjects = limits.map(({ subject }) => subject)
  const tries = await countTry(people, subjects)
  const over = tries.find(
    (tried) =>
      tried.failures > (limits.find(({ subject }) => subject === tried.subject)?.limit ?? 0),
  )
  if (over === undefined) return
  const seconds = Math.max(1, Math.ceil(over.secondsLeft))
  const minutes = Math.ceil(seconds / 60)
  throw new ApiError('rate_limited', `Too many tries. Try again in ${minutes} min.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}
