import { useState } from 'react'
import { callOrganizationApi } from '../../api/call.ts'
import { useOrganization } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useWrite } from '../../session/use-api.ts'
import { plural } from '../../time/figures.ts'
import { formatSpan, VIEWER_ZONE } from '../../time/format.ts'
import { Field, fieldsOf } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { type BulkTarget, countOf } from './use-bulk.ts'

const MINUTE_MS = 60_000
const MINUTES = [30, 60, 120, 240, 480]
const FIELDS = ['name', 'endsAt', 'monitorIds']

// The most monitors that one window can name.
const MAX_NAMED = 500
const PAGE = 100

type Props = { target: BulkTarget; onClose: () => void; onDone: () => void }

/** Starts now, for a given time. Later or recurring windows are planned on the maintenance screen. */
export function BulkMaintenance({ target, onClose, onDone }: Props) {
  const { id: organizationId } = useOrganization()
  const count = countOf(target)
  const [name, setName] = useState('Maintenance')
  const [minutes, setMinutes] = useState(60)
  const create = useWrite('POST /maintenance-windows', {
    inForm: true,
    onDone: () => {
      toast(`${name} is on for ${plural(count, 'monitor')}`)
      onDone()
    },
  })
  const at = fieldsOf(create.error)
  const start = async () => {
    const monitorIds = await idsOf(organizationId, target)
    create.mutate({ body: { ...windowFor(minutes), name, monitorIds } })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`Maintenance for ${plural(count, 'monitor')}`}
      about="Starts now. Checks continue, alerts are muted, and downtime isn't counted."
      action="Start maintenance"
      busy={create.isPending}
      error={create.error}
      fields={FIELDS}
      onSubmit={() => void start()}
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
      <Field label="Duration" problem={at('endsAt') ?? at('monitorIds')}>
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

function windowFor(minutes: number) {
  const now = Date.now()
  return {
    description: null,
    startsAt: new Date(now).toISOString(),
    endsAt: new Date(now + minutes * MINUTE_MS).toISOString(),
    timezone: VIEWER_ZONE,
    recurrence: null,
    allMonitors: false,
    statusPageIds: [],
    showOnStatusPages: true,
    notifySubscribers: false,
  }
}

/** A window names its monitors, so those that match are read first. One more than allowed is refused by the server. */
async function idsOf(organizationId: string, target: BulkTarget): Promise<string[]> {
  if ('ids' in target) return [...target.ids]
  const ids: string[] = []
  for (let offset = 0; offset <= MAX_NAMED; offset += PAGE) {
    const query = { ...target.filter, sort: 'name' as const, limit: PAGE, offset }
    const { data } = await callOrganizationApi(organizationId, 'GET /overview/monitors', { query })
    ids.push(...data.map(({ id }) => id))
    if (data.length < PAGE) break
  }
  return ids
}
