import {
  Bell,
  BellRing,
  Hash,
  type LucideIcon,
  Mail,
  MessageSquare,
  MonitorSmartphone,
  Send,
  Siren,
  Webhook,
} from 'lucide-react'
import type { ContactChannel } from '../../../../src/domain/alerts/channels.ts'

// The others are chats.
const ICONS: Partial<Record<ContactChannel, LucideIcon>> = {
  EMAIL: Mail,
  SLACK: Hash,
  TELEGRAM: Send,
  PAGERDUTY: Siren,
  OPSGENIE: Siren,
  NTFY: BellRing,
  PUSHOVER: Bell,
  WEBHOOK: Webhook,
  WEB_PUSH: MonitorSmartphone,
}

export function ChannelIcon({ of }: { of: ContactChannel }) {
  const Icon = ICONS[of] ?? MessageSquare
  return <Icon className="icon" aria-hidden="true" />
}
