import { useRouter } from '@tanstack/react-router'
import { allows } from '../../../src/domain/people/role.ts'
import { useOrganization } from './organization.ts'
import { PLACES, type Place } from './places.ts'

/** The places of this person in this organization. */
export function usePlaces(): readonly Place[] {
  const { routesByPath } = useRouter()
  const { role } = useOrganization()
  return PLACES.filter(
    ({ to, needs }) => to in routesByPath && (needs === undefined || allows(role, needs)),
  )
}
