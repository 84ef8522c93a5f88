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
import type { MonitorType } from './draft.ts'

const TYPES: readonly { type: MonitorType; word: string; about: string; icon: LucideIcon }[] = [
  { type: 'HTTP', word: 'HTTP', about: 'A page or API', icon: Globe },
  { type: 'KEYWORD', word: 'Keyword', about: 'A word in the page', icon: TextSearch },
  { type: 'PING', word: 'Ping', about: 'A host answers', icon: Radio },
  { type: 'PORT', word: 'Port', about: 'A TCP port is open', icon: PlugZap },
  { type: 'CRON', word: 'Cron', about: 'A job reports in', icon: AlarmClock },
  { type: 'DNS', word: 'DNS', about: 'A record is right', icon: BookOpen },
  { type: 'SSL', word: 'SSL', about: 'A certificate lasts', icon: Lock },
  { type: 'DOMAIN', word: 'Domain', about: 'A registration lasts', icon: Flag },
]

export function TypeCards({
  value,
  onChange,
}: {
  value: MonitorType
  onChange: (type: MonitorType) => void
}) {
  return (
    <fieldset className="bare">
      <legend className="label">Type</legend>
      <div className="types">
        {TYPES.map(({ type, word, about, icon: Icon }) => (
          <label key={type} className="type-card">
            <input
              type="radio"
              name="type"
              checked={value === type}
              onChange={() => onChange(type)}
            />
            <Icon className="icon" aria-hidden="true" />
            {word}
            <span className="hint hide-phone">{about}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
