import { allows } from '../../../src/domain/people/role.ts'
import { useOrganization } from '../session/organization.ts'
import { NAVIGATION_ITEMS, type NavigationItem } from './navigation-items.ts'

/** The navigation items visible to this person in this organization. */
export function useNavigationItems(): readonly NavigationItem[] {
  const { role } = useOrganization()
  return NAVIGATION_ITEMS.filter(({ needs }) => needs === undefined || allows(role, needs))
}
