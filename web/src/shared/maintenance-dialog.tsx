import { useState } from 'react'
import { maintenanceDialogText as text } from '../messages/maintenance-dialog.ts'
import { toast } from '../session/toast.ts'
import { useWrite } from '../session/use-api.ts'
import { formatSpan } from '../time/format.ts'
import { Field, fieldsOf } from '../ui/field.tsx'
import { TextInput } from '../ui/inputs.tsx'
import { FormDialog } from '../ui/overlay/form-dialog.tsx'
import { useDefaultZone } from './default-zone.ts'

const MINUTE_MS = 60_000
const MINUTES = [30, 60, 120, 240, 480]
const FIELDS = ['name', 'endsAt', 'monitorIds']

type Props = {
  /** How many monitors it is for. */
  count: number
  /** The name of a single monitor, where the screen shows others too. */
  of?: string
  /** Read when the form is sent, because there can be many. */
  idsOf: () => Promise<string[]>
  onClose: () => void
  onDone: () => void
}

/** Starts now, for a given time. Later or recurring windows are planned on the maintenance screen. */
export function MaintenanceDialog({ count, of, idsOf, onClose, onDone }: Props) {
  const [name, setName] = useState(text.defaultName)
  const [minutes, setMinutes] = useState(60)
  const timezone = useDefaultZone()
  const create = useWrite('POST /maintenance-windows', {
    inForm: true,
    onDone: () => {
      toast(text.started({ name, count }))
      onDone()
    },
  })
  const at = fieldsOf(create.error)
  const start = async () => {
    const monitorIds = await idsOf()
    create.mutate({ body: { ...windowFor(minutes, timezone), name, monitorIds } })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={of === undefined ? text.title({ count }) : text.titleOf({ name: of })}
      about={text.about}
      action={text.action}
      busy={create.isPending}
      error={create.error}
      fields={FIELDS}
      onSubmit={() => void start()}
    >
      <TextInput
        label={text.name}
        required
        autoFocus
        maxLength={120}
        value={name}
        onChange={setName}
        problem={at('name')}
      />
      <Field label={text.duration} problem={at('endsAt') ?? at('monitorIds')}>
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

function windowFor(minutes: number, timezone: string) {
  const now = Date.now()
  return {
    description: null,
    startsAt: new Date(now).toISOString(),
    endsAt: new Date(now + minutes * MINUTE_MS).toISOString(),
    timezone,
    recurrence: null,
    allMonitors: false,
    statusPageIds: [],
    showOnStatusPages: true,
    notifySubscribers: false,
  }
}
