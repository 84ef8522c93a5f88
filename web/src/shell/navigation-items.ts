import {
  Activity,
  Bell,
  CalendarDays,
  ChartNoAxesColumn,
  KeyRound,
  type LucideIcon,
  ScrollText,
  SlidersHorizontal,
  TriangleAlert,
  Users,
  Webhook,
} from 'lucide-react'
import type { Role } from '../../../src/domain/people/role.ts'

export type NavigationItem = {
  to: string
  label: string
  /** Label on the phone's tab bar. */
  short?: string
  icon: LucideIcon
  keys: string
  group: 'Watch' | 'Connect' | 'Organization'
  /** The role needed to see it. */
  needs?: Role
}

/** The source of the navigation, the palette's pages and the "Go to" keys. An item shows if its route exists. */
export const NAVIGATION_ITEMS: readonly NavigationItem[] = [
  { to: '/monitors', label: 'Monitors', icon: Activity, keys: 'g m', group: 'Watch' },
  { to: '/incidents', label: 'Incidents', icon: TriangleAlert, keys: 'g i', group: 'Watch' },
  {
    to: '/status-pages',
    label: 'Status pages',
    short: 'Pages',
    icon: ChartNoAxesColumn,
    keys: 'g s',
    group: 'Watch',
  },
  { to: '/maintenance', label: 'Maintenance', icon: CalendarDays, keys: 'g w', group: 'Watch' },
  { to: '/webhooks', label: 'Webhooks', icon: Webhook, keys: 'g h', group: 'Connect' },
  { to: '/alert-contacts', label: 'Alert contacts', icon: Bell, keys: 'g c', group: 'Connect' },
  { to: '/api-keys', label: 'API keys', icon: KeyRound, keys: 'g k', group: 'Connect' },
  { to: '/team', label: 'Team', icon: Users, keys: 'g t', group: 'Organization' },
  {
    to: '/audit-log',
    label: 'Audit log',
    icon: ScrollText,
    keys: 'g l',
    group: 'Organization',
    needs: 'ADMIN',
  },
  {
    to: '/settings',
    label: 'Settings',
    icon: SlidersHorizontal,
    keys: 'g e',
    group: 'Organization',
  },
]

export const NAVIGATION_GROUPS = ['Watch', 'Connect', 'Organization'] as const
