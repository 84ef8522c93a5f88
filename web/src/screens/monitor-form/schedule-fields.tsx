// How often a monitor is checked, and what counts as slow.
import { monitorFormText as text } from '../../messages/monitors/monitor-form.ts'
import { canBeSlow } from '../../shared/monitor-guesses.ts'
import { formatSpan } from '../../time/format.ts'
import { Choice, Field } from '../../ui/field.tsx'
import { type Form, Pick, Text } from './inputs.tsx'
import '../../ui/form.css'

const INTERVALS = [30, 60, 120, 300, 600, 900, 1800, 3600, 21_600, 43_200, 86_400]
const PERIODS = [60, 300, 600, 900, 1800, 3600, 21_600, 43_200, 86_400, 604_800, 2_592_000]
const SAMPLES = [1, 3, 5, 10, 20, 50, 100]
const NAMED: Readonly<Record<number, string>> = { 86_400: text.day, 604_800: text.week }

const choices = (seconds: readonly number[], own: number) =>
  [...new Set([...seconds, own])]
    .sort((a, b) => a - b)
    .map((one) => [one, NAMED[one] ?? formatSpan(one * 1000)] as const)

export function ScheduleFields({ form }: { form: Form }) {
  const { draft } = form
  if (draft.type === 'CRON')
    return (
      <div className="form-2">
        <Pick
          form={form}
          name="periodSeconds"
          path="expectedPeriodSec"
          label={text.pingEvery}
          options={choices(PERIODS, draft.periodSeconds)}
        />
        <Text
          form={form}
          name="graceMinutes"
          path="graceSeconds"
          label={text.grace}
          unit={text.units.minutes}
        />
      </div>
    )
  return (
    <>
      <div className="form-2">
        <Pick
          form={form}
          name="intervalSeconds"
          label={text.checkEvery}
          options={choices(INTERVALS, draft.intervalSeconds)}
        />
        <Text form={form} name="timeoutSeconds" label={text.timeout} unit={text.units.seconds} />
      </div>
      {(canBeSlow(draft.type) || draft.isSlowDegraded) && <SlowFields form={form} />}
    </>
  )
}

function SlowFields({ form }: { form: Form }) {
  const { draft, change } = form
  return (
    <>
      <Choice
        as="switch"
        checked={draft.isSlowDegraded}
        onChange={(isSlowDegraded) => change({ isSlowDegraded })}
        label={text.slow}
        hint={text.slowHint}
      />
      {draft.isSlowDegraded && (
        <div className="form-2">
          <Text
            form={form}
            name="degradedThresholdMs"
            label={text.slowerThan}
            unit={text.units.milliseconds}
          />
          <SlowBasis form={form} />
        </div>
      )}
    </>
  )
}

function SlowBasis({ form: { draft, change, at } }: { form: Form }) {
  const own = `${draft.degradedThresholdMode} ${draft.degradedSamples}`
  const samples = [...new Set([...SAMPLES, Number(draft.degradedSamples) || 1])]
  const modes = samples
    .sort((a, b) => a - b)
    .flatMap((count) => [
      [`LAST ${count}`, text.lastChecks({ count })] as const,
      [`P95 ${count}`, text.p95({ count })] as const,
    ])
    // A percentile of one value is that value; only the API can ask for it.
    .filter(([value]) => value !== 'P95 1' || value === own)
  return (
    <Field label={text.basedOn} problem={at('degradedSamples')}>
      {(control) => (
        <select
          {...control}
          className="select"
          value={own}
          onChange={({ currentTarget: { value } }) => {
            const [mode, count = '1'] = value.split(' ')
            change({
              degradedThresholdMode: mode === 'P95' ? 'P95' : 'LAST',
              degradedSamples: count,
            })
          }}
        >
          {modes.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
