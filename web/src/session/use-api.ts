// Reads and writes of the current organization.
import {
  keepPreviousData,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { callOrganizationApi } from '../api/call.ts'
import type { InputOf, ReadRoute, ResponseOf, WriteRoute } from '../api/contract.ts'
import { ApiProblem, isProblem, messageOf, NoConnection } from '../api/problem.ts'
import { readQuery } from '../api/queries.ts'
import { type Known, lastKnown, shownOffline } from './last-known.ts'
import { useOrganization } from './organization.ts'
import { toast, withdrawUndo } from './toast.ts'

type ReadOptions = {
  /** Disabled until its input is known. */
  enabled?: boolean
  refetchInterval?: number | false
}

/** `useRead('GET /monitors', { query })`, typed by the contract. The previous page stays while the next one loads. */
export function useRead<R extends ReadRoute>(
  route: R,
  input: InputOf<R>,
  options: ReadOptions = {},
) {
  const { id } = useOrganization()
  const query = useQuery({
    ...readQuery(id, route, input),
    placeholderData: keepPreviousData,
    ...options,
  })
  return useLastKnown(query, JSON.stringify([id, input.params]))
}

/** Without a connection, what was shown of the same thing stays, also if a filter or page was chosen that was never read. */
function useLastKnown<T>(query: UseQueryResult<T>, about: string): UseQueryResult<T> {
  const [last, setLast] = useState<Known<T>>({ data: undefined, about })
  const next = lastKnown(last, query, about)
  if (next !== last) setLast(next)
  const isLost = query.data === undefined && query.error instanceof NoConnection
  const data = shownOffline(next, about)
  if (!isLost || data === undefined) return query
  // Safe because only the data is added, which every reader looks at first.
  return { ...query, data } as UseQueryResult<T>
}

type WriteOptions<R extends WriteRoute> = {
  onDone?: (response: ResponseOf<R>, input: InputOf<R>) => void
  /** Forms show their own problems; everything else shows a toast. */
  inForm?: boolean
}

/** `useWrite('POST /monitors/{monitorId}/pause')`. Refetches everything shown of the organization when done. */
export function useWrite<R extends WriteRoute>(route: R, options: WriteOptions<R> = {}) {
  const { id } = useOrganization()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: InputOf<R>) => callOrganizationApi(id, route, input),
    onMutate: withdrawUndo,
    onSuccess: (response, input) => {
      void queries.invalidateQueries({ queryKey: [id] })
      options.onDone?.(response, input)
    },
    onError: (error) => {
      if (!options.inForm) reportProblem(error)
    },
  })
}

/** Shows why a write failed. Being signed out is not reported: the sign-in page follows. */
export function reportProblem(error: unknown): void {
  if (!isProblem(error, 'unauthorized')) toast(sentenceOf(error), 'bad')
}

function sentenceOf(error: unknown): string {
  const [first] = error instanceof ApiProblem ? error.details : []
  return first === undefined ? messageOf(error) : `${first.path} ${first.message}.`
}
