import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiProblem, isProblem, isTemporary, NoConnection } from './problem.ts'

const STALE_MS = 10_000
const MAX_TRIES = 2
const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 30_000

/** Reads go stale after a few seconds. The first call that fails as unauthorized signs the person out. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isProblem(error, 'unauthorized')) onSignedOut()
    // The person's role or the organization itself may have changed: the shell shows what is left.
    if (isProblem(error, 'forbidden'))
      void client.invalidateQueries({ queryKey: ['me'], exact: true })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        // The browser's online state says little about our server, so always send the request.
        networkMode: 'always',
        retry: (failures, error) => isPassing(error) && failures < MAX_TRIES,
        retryDelay: delayOf,
      },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}

/** A person waits this long for a screen. */
const MAX_WAIT_SECONDS = 10

/** Temporary failures: a lost connection, rate limiting, or a failover of the database. */
const isPassing = (error: unknown): boolean =>
  error instanceof NoConnection || isProblem(error, 'rate_limited') || endsSoon(error)

const endsSoon = (error: unknown): boolean =>
  isTemporary(error) && error.retryAfterSeconds <= MAX_WAIT_SECONDS

/** Waits as long as the server asks; otherwise doubles the delay each time. */
export function delayOf(failures: number, error: unknown): number {
  const seconds = error instanceof ApiProblem ? error.retryAfterSeconds : undefined
  return seconds === undefined
    ? Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS)
    : seconds * 1000
}
