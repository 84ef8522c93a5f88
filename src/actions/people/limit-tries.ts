import { ApiError } from '../../platform/api-error.ts'
import type { Database } from '../../store/core/db.ts'
import { countTry, type Limit, takeBackTry } from '../../store/people/sign-in-windows.ts'

/**
 * Runs `attempt` unless a limit is reached. The attempt is counted and committed before it runs, so that parallel
 * attempts all count. The count is undone for a success, and for an attempt refused before it was judged.
 */
export async function limitTries<T>(
  people: Database,
  limits: readonly Limit[],
  attempt: () => Promise<T | undefined>,
): Promise<T | undefined> {
  await limitRequests(people, limits)
  const subjects = limits.map(({ subject }) => subject)
  let outcome: T | undefined
  try {
    outcome = await attempt()
  } catch (error) {
    if (error instanceof ApiError) await takeBackTry(people, subjects)
    throw error
  }
  if (outcome !== undefined) await takeBackTry(people, subjects)
  return outcome
}

/**
 * Counts one for each limit and throws at the first that is reached. Order matters: a refused client adds nothing to
 * later counters, so put its own limits (its address) before those of others.
 */
export async function limitRequests(people: Database, limits: readonly Limit[]): Promise<void> {
  for (const limit of limits) {
    const reached = await countTry(people, limit)
    if (reached !== undefined) throw tooMany(reached.secondsLeft)
  }
}

function tooMany(secondsLeft: number): ApiError {
  const seconds = Math.max(1, Math.ceil(secondsLeft))
  const minutes = Math.ceil(seconds / 60)
  return new ApiError('rate_limited', `Too many attempts. Try again in ${minutes} min.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}
