// Writes of personal data, which belongs to no organization.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../api/call.ts'
import type { InputOf, PersonalRoute, ResponseOf } from '../../api/contract.ts'
import { messageOf } from '../../api/problem.ts'
import { meQuery } from '../../api/queries.ts'
import { toast } from '../../session/toast.ts'

type Options<R extends PersonalRoute> = {
  onDone?: (answer: ResponseOf<R>) => void
  /** Forms show their own problems; everything else shows a toast. */
  inForm?: boolean
}

export const SESSIONS_KEY = ['me', 'sessions']
export const passkeysQuery = queryOptions({
  queryKey: ['me', 'passkeys'],
  queryFn: () => callApi('GET /me/passkeys', {}),
})

/** Refetches everything shown of the person when done. */
export function usePersonal<R extends PersonalRoute>(route: R, options: Options<R> = {}) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: InputOf<R>) => callApi(route, input),
    onSuccess: (answer) => {
      void queries.invalidateQueries(meQuery)
      void queries.invalidateQueries({ queryKey: SESSIONS_KEY })
      void queries.invalidateQueries(passkeysQuery)
      options.onDone?.(answer)
    },
    onError: (error) => {
      if (!options.inForm) toast(messageOf(error), 'bad')
    },
  })
}
