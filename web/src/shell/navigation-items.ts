import {
  Activity,
  Bell,
  CalendarDays,
  ChartNoAxesColumn,
  KeyRound,
  type LucideIcon,
  Monitor,
  ScrollText,
  SlidersHorizontal,
  TriangleAlert,
  Users,
  Webhook,
} from 'lucide-react'
import type { Role } from '../../../src/domain/people/role.ts'
import { type DashboardPath, PATHS } from '../../../src/domain/values/dashboard-paths.ts'

export type NavigationItem = {
  to: DashboardPath
  label: string
  /** Label on the phone's tab bar. */
  short?: string
  icon: LucideIcon
  keys: string
  group: 'Watch' | 'Connect' | 'Organization' | 'Operator'
  /** The role needed to see it. */
  needs?: Role
  /** Seen by operators of the installation alone. */
  forOperators?: true
}

/** The source of the navigation, the palette's pages and the "Go to" keys. */
export const NAVIGATION_ITEMS: readonly NavigationItem[] = [
  { to: PATHS.monitors, label: 'Monitors', icon: Activity, keys: 'g m', group: 'Watch' },
  { to: PATHS.incidents, label: 'Incidents', icon: TriangleAlert, keys: 'g i', group: 'Watch' },
  {
    to: PATHS.statusPages,
    label: 'Status pages',
    short: 'Pages',
    icon: ChartNoAxesColumn,
    keys: 'g s',
    group: 'Watch',
  },
  { to: PATHS.maintenance, label: 'Maintenance', icon: CalendarDays, keys: 'g w', group: 'Watch' },
  { to: PATHS.webhooks, label: 'Webhooks', icon: Webhook, keys: 'g h', group: 'Connect' },
  { to: PATHS.alertContacts, label: 'Alert contacts', icon: Bell, keys: 'g c', group: 'Connect' },
  { to: PATHS.apiKeys, label: 'API keys', icon: KeyRound, keys: 'g k', group: 'Connect' },
  { to: PATHS.team, label: 'Team', icon: Users, keys: 'g t', group: 'Organization' },
  {
    to: PATHS.auditLog,
    label: 'Audit log',
    icon: ScrollText,
    keys: 'g l',
    group: 'Organization',
    needs: 'ADMIN',
  },
  {
    to: PATHS.settings,
    label: 'Settings',
    icon: SlidersHorizontal,
    keys: 'g e',
    group: 'Organization',
  },
  {
    to: PATHS.operator,
    label: 'Installation',
    icon: Monitor,
    keys: 'g o',
    group: 'Operator',
    forOperators: true,
  },
]

export const NAVIGATION_GROUPS = ['Watch', 'Connect', 'Organization', 'Operator'] as const
