import { EVENT_TYPES, type EventType } from '../../../../src/domain/events/event.ts'
import { endpointFormText as TEXT } from '../../messages/connections/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/field.tsx'
import './endpoint-card.css'

export type Chosen = (EventType | '*')[]

const GROUPS: readonly { word: string; prefix: string }[] = [
  { word: TEXT.groups.incidents, prefix: 'incident.' },
  { word: TEXT.groups.statusPages, prefix: 'status_incident.' },
  { word: TEXT.groups.monitors, prefix: 'monitor.' },
  { word: TEXT.groups.maintenance, prefix: 'maintenance.' },
]

const INCIDENTS = EVENT_TYPES.filter((type) => type.startsWith('incident.'))

type EventChoiceProps = { chosen: Chosen; onChange: (chosen: Chosen) => void }

export function EventChoice({ chosen, onChange }: EventChoiceProps) {
  return (
    <>
      <div className="row">
        <Button size="sm" onClick={() => onChange([...INCIDENTS])}>
          {TEXT.incidentsOnly}
        </Button>
      </div>
      <Groups chosen={chosen} onChange={onChange} />
    </>
  )
}

function Groups({ chosen, onChange }: EventChoiceProps) {
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
