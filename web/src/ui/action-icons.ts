import { Check, type LucideIcon, Pause, Pencil, Play, RefreshCw, Wrench } from 'lucide-react'
import type { MonitorAction } from '../messages/monitor-actions.ts'

export const ACTION_ICONS: Record<MonitorAction, LucideIcon> = {
  acknowledge: Check,
  check: RefreshCw,
  pause: Pause,
  resume: Play,
  maintenance: Wrench,
  edit: Pencil,
}
