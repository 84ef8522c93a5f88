import { WEEKDAYS } from '../../../../src/domain/maintenance/maintenance.ts'
import { windowFormText as TEXT } from '../../messages/publishing/maintenance.ts'
import { dayLabel } from '../../shared/maintenance-window.ts'
import { zoneOptions } from '../../time/zone-options.ts'
import { Choice } from '../../ui/field.tsx'
import { WallInput } from '../../ui/form/wall-input.tsx'
import { GroupProblem } from '../../ui/group-problem.tsx'
import { SelectInput, TextInput } from '../../ui/inputs.tsx'
import type { Frequency } from './form-values.ts'
import type { WindowPartProps } from './window-fields.ts'
import '../../ui/form.css'
import './maintenance.css'

const FREQUENCIES: readonly Frequency[] = ['ONCE', 'DAILY', 'WEEKLY', 'MONTHLY']
const REPEATS = FREQUENCIES.map((value) => ({ value, label: TEXT.frequencies[value] }))

export function TimeFields({ values, set, at }: WindowPartProps) {
  return (
    <>
      <div className="form-2">
        <WallInput
          kind="moment"
          label={TEXT.starts}
          value={values.starts}
          onChange={(starts) => set({ starts })}
          problem={at('startsAt')}
        />
        <WallInput
          kind="moment"
          label={TEXT.ends}
          value={values.ends}
          onChange={(ends) => set({ ends })}
          problem={at('endsAt')}
        />
      </div>
      <div className="form-2">
        <SelectInput
          label={TEXT.zone}
          value={values.timezone}
          onChange={(timezone) => set({ timezone })}
          options={zoneOptions(values.timezone)}
          problem={at('timezone')}
        />
        <SelectInput
          label={TEXT.repeats}
          value={values.frequency}
          onChange={(frequency) => set({ frequency })}
          options={REPEATS}
          problem={at('recurrence.frequency')}
        />
      </div>
      {values.frequency !== 'ONCE' && <RepeatFields values={values} set={set} at={at} />}
    </>
  )
}

function RepeatFields({ values, set, at }: WindowPartProps) {
  return (
    <>
      <div className="form-2">
        <TextInput
          label={TEXT.interval[values.frequency]}
          type="number"
          required
          min={1}
          max={52}
          value={values.interval}
          onChange={(interval) => set({ interval })}
          problem={at('recurrence.interval')}
        />
        <WallInput
          kind="day"
          label={TEXT.endsOn}
          optional
          hint={TEXT.endsOnHint}
          value={values.until}
          onChange={(until) => set({ until })}
          problem={at('recurrence.endsAt')}
        />
      </div>
      {values.frequency === 'WEEKLY' && <Weekdays values={values} set={set} at={at} />}
      {values.frequency === 'MONTHLY' && (
        <SelectInput
          label={TEXT.monthDay}
          value={values.dayOfMonth}
          onChange={(dayOfMonth) => set({ dayOfMonth })}
          options={MONTH_DAYS}
          hint={TEXT.monthDayHint}
          problem={at('recurrence.dayOfMonth')}
        />
      )}
    </>
  )
}

const MONTH_DAYS = [
  { value: '', label: TEXT.sameDay },
  { value: '-1', label: TEXT.lastDay },
  ...Array.from({ length: 31 }, (_, at) => ({ value: String(at + 1), label: String(at + 1) })),
]

function Weekdays({ values, set, at }: WindowPartProps) {
  const chosen = values.daysOfWeek
  const problem = at('recurrence.daysOfWeek')
  return (
    <fieldset className="plain">
      <legend className="label">{TEXT.weekdays}</legend>
      <div className="weekdays">
        {WEEKDAYS.map((day) => (
          <Choice
            key={day}
            checked={chosen.includes(day)}
            onChange={(checked) =>
              set({
                daysOfWeek: WEEKDAYS.filter((one) =>
                  one === day ? checked : chosen.includes(one),
                ),
              })
            }
            label={dayLabel(day)}
          />
        ))}
      </div>
      {problem === undefined && chosen.length === 0 && <p className="hint">{TEXT.weekdaysHint}</p>}
      <GroupProblem of={problem} />
    </fieldset>
  )
}
