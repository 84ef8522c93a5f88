import { EVENT_TYPES, type EventType } from '../../../../src/domain/events/event.ts'
import { Choice } from '../../ui/field.tsx'
import './endpoint-card.css'

export type Chosen = (EventType | '*')[]

const GROUPS: readonly { word: string; prefix: string }[] = [
  { word: 'Incidents', prefix: 'incident.' },
  { word: 'Status pages', prefix: 'status_incident.' },
  { word: 'Monitors', prefix: 'monitor.' },
  { word: 'Maintenance', prefix: 'maintenance.' },
]

type EventChoiceProps = { chosen: Chosen; onChange: (chosen: Chosen) => void }

export function EventChoice({ chosen, onChange }: EventChoiceProps) {
  return (
    <div className="event-groups">
      {GROUPS.map(({ word, prefix }) => (
        <fieldset key={prefix} className="plain">
          <legend className="label">{word}</legend>
          {EVENT_TYPES.filter((type) => type.startsWith(prefix)).map((type) => (
            <Choice
              key={type}
              checked={chosen.includes(type)}
              onChange={(checked) =>
                onChange(checked ? [...chosen, type] : chosen.filter((one) => one !== type))
              }
              label={<span className="mono">{type}</span>}
            />
          ))}
        </fieldset>
      ))}
    </div>
  )
}
