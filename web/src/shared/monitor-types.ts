// Monitor types, in the order they are offered.
import {
  AlarmClock,
  BookOpen,
  Flag,
  Globe,
  Lock,
  type LucideIcon,
  PlugZap,
  Radio,
  TextSearch,
} from 'lucide-react'
import { monitorTypeText } from '../messages/monitors/monitor-types.ts'
import type { MonitorDraftType } from './monitor-draft.ts'

const ICONS: readonly (readonly [MonitorDraftType, LucideIcon])[] = [
  ['HTTP', Globe],
  ['KEYWORD', TextSearch],
  ['PING', Radio],
  ['PORT', PlugZap],
  ['CRON', AlarmClock],
  ['DNS', BookOpen],
  ['SSL', Lock],
  ['DOMAIN', Flag],
]

export const TYPES = ICONS.map(([type, icon]) => ({ type, icon, ...monitorTypeText[type] }))
