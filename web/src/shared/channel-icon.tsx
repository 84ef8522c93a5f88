import {
  AlarmClock,
  Bell,
  BellDot,
  BellRing,
  Braces,
  CircleDot,
  Flame,
  Gamepad2,
  Grid3x3,
  Hash,
  Headset,
  type LucideIcon,
  Mail,
  MessageCircle,
  MessagesSquare,
  MonitorSmartphone,
  Phone,
  Radio,
  Rocket,
  Send,
  Share2,
  ShieldCheck,
  Siren,
  SquareKanban,
  Users,
  Webhook,
} from 'lucide-react'
import type { ContactChannel } from '../../../src/domain/alerts/channels.ts'

// One for each, so that contacts can be told apart at a glance.
const ICONS: Record<ContactChannel, LucideIcon> = {
  EMAIL: Mail,
  SLACK: Hash,
  DISCORD: Gamepad2,
  TEAMS: Users,
  TELEGRAM: Send,
  GOOGLE_CHAT: MessagesSquare,
  MATTERMOST: MessageCircle,
  ROCKET_CHAT: Rocket,
  MATRIX: Grid3x3,
  SIGNAL: ShieldCheck,
  PAGERDUTY: Siren,
  JIRA_SERVICE_MANAGEMENT: Headset,
  OPSGENIE: AlarmClock,
  INCIDENT_IO: Flame,
  ALERTMANAGER: Radio,
  GITHUB_ISSUES: CircleDot,
  GITLAB_ISSUES: SquareKanban,
  NTFY: BellRing,
  GOTIFY: BellDot,
  PUSHOVER: Bell,
  TWILIO: Phone,
  APPRISE: Share2,
  WEBHOOK: Webhook,
  CUSTOM_WEBHOOK: Braces,
  WEB_PUSH: MonitorSmartphone,
}

export function ChannelIcon({ of }: { of: ContactChannel }) {
  const Icon = ICONS[of]
  return <Icon className="icon" aria-hidden="true" />
}
