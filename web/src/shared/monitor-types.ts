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
import type { MonitorDraftType } from './monitor-draft.ts'

export const TYPES: readonly {
  type: MonitorDraftType
  word: string
  about: string
  icon: LucideIcon
}[] = [
  { type: 'HTTP', word: 'HTTP', about: 'A page or API', icon: Globe },
  { type: 'KEYWORD', word: 'Keyword', about: 'A word in the page', icon: TextSearch },
  { type: 'PING', word: 'Ping', about: 'A host answers', icon: Radio },
  { type: 'PORT', word: 'Port', about: 'A TCP port is open', icon: PlugZap },
  { type: 'CRON', word: 'Cron', about: 'A job reports in', icon: AlarmClock },
  { type: 'DNS', word: 'DNS', about: 'A record is right', icon: BookOpen },
  { type: 'SSL', word: 'SSL', about: 'A certificate lasts', icon: Lock },
  { type: 'DOMAIN', word: 'Domain', about: 'A registration lasts', icon: Flag },
]
