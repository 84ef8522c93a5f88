import { allows } from '../../../src/domain/people/role.ts'
import { useShell } from '../session/organization.ts'
import { NAVIGATION_ITEMS, type NavigationItem } from './navigation-items.ts'

/** The navigation items visible to this person in this organization. */
export function useNavigationItems(): readonly NavigationItem[] {
  const { organization, me } = useShell()
  const isOperator = me.person.isOperator === true
  return NAVIGATION_ITEMS.filter(
    ({ needs, forOperators }) =>
      (needs === undefined || allows(organization.role, needs)) && (!forOperators || isOperator),
  )
}
