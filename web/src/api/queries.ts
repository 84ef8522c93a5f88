import { queryOptions } from '@tanstack/react-query'
import { callApi, callOwn } from './call.ts'
import type { Answer, InputOf, ReadRoute } from './contract.ts'

export type Me = Answer<'GET /me'>
export type OwnOrganization = Me['organizations'][number]

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => callApi('GET /me', {}),
  staleTime: 60_000,
})

export const standingQuery = queryOptions({
  queryKey: ['standing'],
  queryFn: () => callApi('GET /session', {}),
  staleTime: 0,
})

/** A read of an organization. Its key starts with the organization, so that all of it can be read anew. */
export function readQuery<R extends ReadRoute>(
  organizationId: string,
  route: R,
  input: InputOf<R>,
) {
  return queryOptions({
    queryKey: [organizationId, route, input],
    queryFn: () => callOwn(organizationId, route, input),
  })
}
