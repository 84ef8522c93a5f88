import { useState } from 'react'
import { toast } from '../../session/toast.ts'
import { useWrite } from '../../session/use-api.ts'
import { plural } from '../../time/figures.ts'
import { formatSpan, VIEWER_ZONE } from '../../time/format.ts'
import { Field, fieldsOf } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'

const MINUTE_MS = 60_000
const MINUTES = [30, 60, 120, 240, 480]
const FIELDS = ['name', 'endsAt', 'monitorIds']

type Props = { monitorIds: readonly string[]; onClose: () => void; onDone: () => void }

/** Starts now, for a given time. Later or recurring windows are planned on the maintenance screen. */
export function BulkMaintenance({ monitorIds, onClose, onDone }: Props) {
  const [name, setName] = useState('Maintenance')
  const [minutes, setMinutes] = useState(60)
  const create = useWrite('POST /maintenance-windows', {
    inForm: true,
    onDone: () => {
      toast(`${name} is on for ${plural(monitorIds.length, 'monitor')}`)
      onDone()
    },
  })
  const at = fieldsOf(create.error)
  const start = () => {
    const now = Date.now()
    create.mutate({
      body: {
        name,
        description: null,
        startsAt: new Date(now).toISOString(),
        endsAt: new Date(now + minutes * MINUTE_MS).toISOString(),
        timezone: VIEWER_ZONE,
        recurrence: null,
        allMonitors: false,
        monitorIds: [...monitorIds],
        statusPageIds: [],
        showOnStatusPages: true,
        notifySubscribers: false,
      },
    })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`Maintenance for ${plural(monitorIds.length, 'monitor')}`}
      about={`Starts now. ${monitorIds.length === 1 ? 'It is' : 'They are'} still checked, but nobody is told and it does not count as downtime.`}
      action="Start maintenance"
      busy={create.isPending}
      error={create.error}
      fields={FIELDS}
      onSubmit={start}
    >
      <TextInput
        label="Name"
        required
        autoFocus
        maxLength={120}
        value={name}
        onChange={setName}
        problem={at('name')}
      />
      <Field label="For" problem={at('endsAt') ?? at('monitorIds')}>
        {(control) => (
          <select
            {...control}
            className="select"
            value={minutes}
            onChange={(event) => setMinutes(Number(event.currentTarget.value))}
          >
            {MINUTES.map((one) => (
              <option key={one} value={one}>
                {formatSpan(one * MINUTE_MS)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </FormDialog>
  )
}
