import { Link } from '@tanstack/react-router'
import { Menu as MenuIcon } from 'lucide-react'
import { PATHS } from '../../../src/domain/values/dashboard-paths.ts'
import { frameText, navigationText } from '../messages/shell.ts'
import { useRead } from '../session/use-api.ts'
import { Menu, MenuLine, MenuLink } from '../ui/overlay/menu.tsx'
import { Mark } from '../ui/state.tsx'
import { PersonItems, ThemeChoice } from './menus.tsx'
import { NAVIGATION_GROUPS, type NavigationItem } from './navigation-items.ts'
import { useNavigationItems } from './use-navigation-items.ts'
import { Zone } from './zone.tsx'
import './navigation.css'

const POLL_MS = 60_000
const TABS = 3
// More does not fit on the icon.
const MOST_SHOWN = 99

/** The number of open incidents, shown on every screen. */
function useOngoing(): number {
  const query = { status: ['ONGOING' as const], limit: 1 }
  const { data } = useRead('GET /incidents', { query }, { refetchInterval: POLL_MS })
  return data?.pagination.total ?? 0
}

export function SideNavigation() {
  const items = useNavigationItems()
  const ongoing = useOngoing()
  return NAVIGATION_GROUPS.map((group) => {
    const own = items.filter((item) => item.group === group)
    if (own.length === 0) return null
    return (
      <nav key={group} className="nav" aria-label={group}>
        {group !== 'Watch' && <span className="nav-label">{group}</span>}
        {own.map((item) => (
          <NavigationLink key={item.to} item={item} ongoing={ongoing} />
        ))}
      </nav>
    )
  })
}

function NavigationLink({
  item: { to, label, icon: Icon },
  ongoing,
}: {
  item: NavigationItem
  ongoing: number
}) {
  return (
    <Link to={to}>
      <Icon className="icon" aria-hidden="true" />
      {label}
      {to === PATHS.incidents && ongoing > 0 && (
        <span className="n is-down">
          <Mark state="DOWN" />
          <span className="sr">{frameText.ongoing} </span>
          {ongoing}
        </span>
      )}
    </Link>
  )
}

/** On phones: three items and a menu for the rest. */
export function TabBar() {
  const items = useNavigationItems()
  const ongoing = useOngoing()
  return (
    <nav className="tabbar" aria-label={frameText.mainShort}>
      {items.slice(0, TABS).map(({ to, label, short, icon: Icon }) => (
        <Link key={to} to={to}>
          <Icon className="icon" aria-hidden="true" />
          {short ?? label}
          {to === PATHS.incidents && ongoing > 0 && (
            <span
              className="count-badge"
              role="img"
              aria-label={navigationText.ongoing({ count: String(ongoing) })}
            >
              {ongoing > MOST_SHOWN ? `${MOST_SHOWN}+` : ongoing}
            </span>
          )}
        </Link>
      ))}
      <Menu
        trigger={
          <button type="button">
            <MenuIcon className="icon" aria-hidden="true" />
            {navigationText.more}
          </button>
        }
      >
        {items.slice(TABS).map(({ to, label, icon }) => (
          <MenuLink key={to} to={to} icon={icon}>
            {label}
          </MenuLink>
        ))}
        <MenuLine />
        <ThemeChoice />
        <MenuLine />
        <PersonItems />
        {/* The top bar of a phone has no room for it. */}
        <Zone className="zone-menu" />
      </Menu>
    </nav>
  )
}
