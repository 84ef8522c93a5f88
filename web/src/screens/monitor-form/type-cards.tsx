import { monitorFormText } from '../../messages/monitors/monitor-form.ts'
import type { MonitorDraftType } from '../../shared/monitor-draft.ts'
import { TYPES } from '../../shared/monitor-types.ts'
import '../../ui/type-cards.css'
import './monitor-form.css'

export function TypeCards({
  value,
  onChange,
}: {
  value: MonitorDraftType
  onChange: (type: MonitorDraftType) => void
}) {
  return (
    <fieldset className="bare">
      <legend className="label">{monitorFormText.type}</legend>
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
