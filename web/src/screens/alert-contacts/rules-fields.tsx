import { contactFormText as TEXT } from '../../messages/connections/contacts.ts'
import { zoneOptions } from '../../time/zone-options.ts'
import { Choice } from '../../ui/field.tsx'
import { WallInput } from '../../ui/form/wall-input.tsx'
import { GroupProblem } from '../../ui/group-problem.tsx'
import { SelectInput } from '../../ui/inputs.tsx'
import {
  ALERT_STATES,
  type ContactView,
  delayLabel,
  reminderLabel,
  STATE_LABELS,
} from './contact.ts'
import '../../ui/form.css'
import './contact-form.css'

export type Rules = Pick<
  ContactView,
  'enabled' | 'states' | 'delayMinutes' | 'reminderMinutes' | 'quietHours'
>

const DELAYS = [0, 1, 2, 5, 10, 15, 30, 60]
const REMINDERS = [null, 5, 10, 15, 30, 60, 180, 360, 720, 1440]

type RulesFieldsProps = {
  values: Rules
  onChange: (change: Partial<Rules>) => void
  at: (path: string) => string | undefined
  /** The default time zone of quiet hours. */
  zone: string
}

export function RulesFields({ values, onChange, at, zone }: RulesFieldsProps) {
  const { states, quietHours: quiet } = values
  return (
    <>
      <fieldset className="plain">
        <legend className="label">{TEXT.alertFor}</legend>
        <div className="row wrap tells">
          {ALERT_STATES.map((state) => (
            <Choice
              key={state}
              checked={states.includes(state)}
              onChange={(checked) =>
                onChange({
                  states: ALERT_STATES.filter((one) =>
                    one === state ? checked : states.includes(one),
                  ),
                })
              }
              label={STATE_LABELS[state]}
            />
          ))}
        </div>
        <GroupProblem of={at('states')} />
      </fieldset>
      <Timing values={values} onChange={onChange} at={at} />
      <Choice
        as="switch"
        checked={quiet !== null}
        onChange={(on) =>
          onChange({ quietHours: on ? { from: '22:00', to: '07:00', timezone: zone } : null })
        }
        label={TEXT.quietHours}
        hint={TEXT.quietHint}
      />
      {quiet !== null && (
        <div className="quiet-fields">
          <WallInput
            kind="clock"
            label={TEXT.from}
            value={quiet.from}
            onChange={(from) => onChange({ quietHours: { ...quiet, from } })}
            problem={at('quietHours.from')}
          />
          <WallInput
            kind="clock"
            label={TEXT.to}
            value={quiet.to}
            onChange={(to) => onChange({ quietHours: { ...quiet, to } })}
            problem={at('quietHours.to')}
          />
          <SelectInput
            label={TEXT.zone}
            value={quiet.timezone}
            onChange={(timezone) => onChange({ quietHours: { ...quiet, timezone } })}
            options={zoneOptions(quiet.timezone)}
            problem={at('quietHours.timezone')}
          />
        </div>
      )}
    </>
  )
}

function Timing({ values, onChange, at }: Omit<RulesFieldsProps, 'zone'>) {
  const { delayMinutes, reminderMinutes } = values
  return (
    <div className="form-2">
      <SelectInput
        label={TEXT.delay}
        value={String(delayMinutes)}
        onChange={(value) => onChange({ delayMinutes: Number(value) })}
        options={withValue(DELAYS, delayMinutes).map((minutes) => ({
          value: String(minutes),
          label: delayLabel(minutes),
        }))}
        problem={at('delayMinutes')}
      />
      <SelectInput
        label={TEXT.remind}
        value={String(reminderMinutes)}
        onChange={(value) => onChange({ reminderMinutes: value === 'null' ? null : Number(value) })}
        options={withValue(REMINDERS, reminderMinutes).map((minutes) => ({
          value: String(minutes),
          label: minutes === null ? TEXT.noReminder : reminderLabel(minutes),
        }))}
        problem={at('reminderMinutes')}
      />
    </div>
  )
}

/** Keeps a value set through the API among the options. */
function withValue<V>(values: readonly V[], value: V): readonly V[] {
  return values.includes(value) ? values : [...values, value]
}
