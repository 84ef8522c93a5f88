import {
  AlarmClock,
  Bell,
  BellRing,
  Gamepad2,
  Hash,
  type LucideIcon,
  Mail,
  MessageSquare,
  MessagesSquare,
  MonitorSmartphone,
  Send,
  Siren,
  Users,
  Webhook,
} from 'lucide-react'
import type { ContactChannel } from '../../../src/domain/alerts/channels.ts'

// One for each, so that contacts can be told apart at a glance. The others are chats.
const ICONS: Partial<Record<ContactChannel, LucideIcon>> = {
  EMAIL: Mail,
  SLACK: Hash,
  DISCORD: Gamepad2,
  TEAMS: Users,
  TELEGRAM: Send,
  GOOGLE_CHAT: MessagesSquare,
  PAGERDUTY: Siren,
  OPSGENIE: AlarmClock,
  NTFY: BellRing,
  PUSHOVER: Bell,
  WEBHOOK: Webhook,
  WEB_PUSH: MonitorSmartphone,
}

export function ChannelIcon({ of }: { of: ContactChannel }) {
  const Icon = ICONS[of] ?? MessageSquare
  return <Icon className="icon" aria-hidden="true" />
}
