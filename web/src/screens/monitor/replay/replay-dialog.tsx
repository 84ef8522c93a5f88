import { useState } from 'react'
import { replayText as TEXT } from '../../../messages/monitors/replay.ts'
import { useRead } from '../../../session/use-api.ts'
import { fieldsOf } from '../../../ui/field.tsx'
import { SelectInput, TextInput } from '../../../ui/inputs.tsx'
import { Loaded, Skeleton } from '../../../ui/loading.tsx'
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx'
import type { MonitorScreen } from '../monitor-screen.ts'
import { draftOf, queryOf, type ReplayDraft, type ReplayQuery } from './draft.ts'
import { ReplayResults } from './replay-results.tsx'
import '../../../ui/form.css'

type ReplayDialogProps = { screen: MonitorScreen; onClose: () => void }

const FIELDS = ['degradedThresholdMs', 'degradedSamples', 'expectedStatus']
const DELAYS = ['', '0', '1', '2', '5', '10', '15', '30', '60']

/** Starts with the monitor's own settings, so that the first replay shows what was recorded. */
export function ReplayDialog({ screen, onClose }: ReplayDialogProps) {
  const { id: monitorId, name } = screen
  const [draft, setDraft] = useState<ReplayDraft>()
  const [query, setQuery] = useState<ReplayQuery>()
  const monitor = useRead('GET /monitors/{monitorId}', { params: { monitorId } })
  const result = useRead(
    'GET /monitors/{monitorId}/replay',
    { params: { monitorId }, query: query ?? {} },
    { enabled: query !== undefined },
  )
  const shown = draft ?? (monitor.data && draftOf(monitor.data))
  return (
    <FormDialog
      onClose={onClose}
      title={TEXT.title({ name })}
      about={TEXT.about}
      action={TEXT.action}
      busy={query !== undefined && result.isFetching}
      error={result.error}
      fields={FIELDS}
      onSubmit={() => shown && setQuery(queryOf(shown))}
    >
      <Loaded query={monitor} loading={<Skeleton />}>
        {() =>
          shown && (
            <Fields
              type={screen.type}
              draft={shown}
              onChange={(change) => setDraft({ ...shown, ...change })}
              at={fieldsOf(result.error)}
            />
          )
        }
      </Loaded>
      {query !== undefined && result.data && <ReplayResults of={result.data} />}
    </FormDialog>
  )
}

type FieldsProps = {
  type: MonitorScreen['type']
  draft: ReplayDraft
  onChange: (change: Partial<ReplayDraft>) => void
  at: (path: string) => string | undefined
}

function Fields({ type, draft, onChange, at }: FieldsProps) {
  return (
    <>
      <div className="form-2">
        <TextInput
          label={TEXT.threshold}
          type="number"
          inputMode="numeric"
          value={draft.threshold}
          onChange={(threshold) => onChange({ threshold })}
          problem={at('degradedThresholdMs')}
          hint={TEXT.thresholdHint}
        />
        <TextInput
          label={TEXT.samples}
          type="number"
          inputMode="numeric"
          value={draft.samples}
          onChange={(samples) => onChange({ samples })}
          problem={at('degradedSamples')}
        />
      </div>
      <SelectInput
        label={TEXT.mode}
        value={draft.mode}
        onChange={(mode) => onChange({ mode })}
        options={[
          { value: 'LAST', label: TEXT.modes.LAST },
          { value: 'P95', label: TEXT.modes.P95 },
        ]}
      />
      {(type === 'HTTP' || type === 'KEYWORD') && (
        <TextInput
          label={TEXT.statuses}
          value={draft.statuses}
          onChange={(statuses) => onChange({ statuses })}
          problem={at('expectedStatus')}
          hint={TEXT.statusesHint}
        />
      )}
      <SelectInput
        label={TEXT.delay}
        value={draft.delay}
        onChange={(delay) => onChange({ delay })}
        options={DELAYS.map((value) => ({
          value,
          label: value === '' ? TEXT.ownDelay : TEXT.delayed({ minutes: Number(value) }),
        }))}
      />
    </>
  )
}
