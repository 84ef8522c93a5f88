import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isProblem, NoConnection } from './problem.ts'

const STALE_MS = 10_000
const MAX_TRIES = 2

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
        retry: (failures, error) => error instanceof NoConnection && failures < MAX_TRIES,
      },
      mutations: { networkMode: 'always' },
    },
  })
}
