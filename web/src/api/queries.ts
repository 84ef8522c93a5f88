import { queryOptions } from '@tanstack/react-query'
import { callApi, callOrganizationApi } from './call.ts'
import type { InputOf, ReadRoute, ResponseOf } from './contract.ts'

export type Me = ResponseOf<'GET /me'>
export type OwnOrganization = Me['organizations'][number]

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => callApi('GET /me', {}),
  staleTime: 60_000,
})

export const signInStatusQuery = queryOptions({
  queryKey: ['sign-in-status'],
  queryFn: () => callApi('GET /session', {}),
  staleTime: 0,
})

/** A read of an organization. The key starts with the organization, so all its reads can be invalidated at once. */
export function readQuery<R extends ReadRoute>(
  organizationId: string,
  route: R,
  input: InputOf<R>,
) {
  return queryOptions({
    queryKey: [organizationId, route, input],
    queryFn: () => callOrganizationApi(organizationId, route, input),
  })
}
