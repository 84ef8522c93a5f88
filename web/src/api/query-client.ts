import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiProblem, isProblem, NoConnection } from './problem.ts'

const STALE_MS = 10_000
const MAX_TRIES = 2
const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 30_000

/** What is read goes stale after seconds; a session that ended is noticed by whichever call comes first. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isProblem(error, 'unauthorized')) onSignedOut()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        // The browser's word on being online says little about the server: we ask the server.
        networkMode: 'always',
        retry: (failures, error) => isPassing(error) && failures < MAX_TRIES,
        retryDelay: delayOf,
      },
      mutations: { networkMode: 'always' },
    },
  })
}

/** What may be over in a moment: a lost connection, or too many requests at once. */
const isPassing = (error: unknown): boolean =>
  error instanceof NoConnection || isProblem(error, 'rate_limited')

/** As long as the server asks for; otherwise twice as long each time. */
export function delayOf(failures: number, error: unknown): number {
  const seconds = error instanceof ApiProblem ? error.retryAfterSeconds : undefined
  return seconds === undefined
    ? Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS)
    : seconds * 1000
}
