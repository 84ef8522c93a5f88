import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { VIEWER_ZONE } from '../../time/format.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Choice, FormProblems, fieldsOf } from '../../ui/field.tsx'
import { TextArea, TextInput } from '../../ui/inputs.tsx'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { emptyValues, type FormValues, toBody, toValues } from './form-values.ts'
import { MonitorChoice } from './monitor-choice.tsx'
import { TimeFields } from './time-fields.tsx'
import type { WindowPartProps } from './window-fields.ts'
import '../../ui/form.css'

const CRUMBS = [{ label: 'Maintenance', to: PATHS.maintenance }]
const FIELDS = ['name', 'description', 'startsAt', 'endsAt', 'timezone', 'recurrence', 'monitorIds']

export function NewWindow() {
  const done = useDone('The window is planned')
  const [first] = useState(() => emptyValues(Date.now(), VIEWER_ZONE))
  const create = useWrite('POST /maintenance-windows', { inForm: true, onDone: done })
  return (
    <Page title="New window" crumbs={CRUMBS} narrow>
      <WindowForm
        first={first}
        action="Plan window"
        busy={create.isPending}
        error={create.error}
        onSubmit={(values) => create.mutate({ body: { ...toBody(values), statusPageIds: [] } })}
      />
    </Page>
  )
}

export function EditWindow() {
  const { windowId = '' } = useParams({ strict: false })
  const done = useDone('Saved')
  const params = { maintenanceId: windowId }
  const window = useRead('GET /maintenance-windows/{maintenanceId}', { params })
  const change = useWrite('PATCH /maintenance-windows/{maintenanceId}', {
    inForm: true,
    onDone: done,
  })
  return (
    <Page title="Edit window" crumbs={CRUMBS} narrow>
      <Loaded query={window} loading={<Skeleton />}>
        {(data) => (
          <WindowForm
            first={toValues(data)}
            action="Save changes"
            busy={change.isPending}
            error={change.error}
            onSubmit={(values) => change.mutate({ params, body: toBody(values) })}
          />
        )}
      </Loaded>
    </Page>
  )
}

function useDone(sentence: string) {
  const navigate = useNavigate()
  return ({ id }: { id: string }) => {
    toast(sentence)
    void navigate({ to: PATHS.maintenance, search: { window: id } })
  }
}

type WindowFormProps = {
  first: FormValues
  action: string
  busy: boolean
  error: unknown
  onSubmit: (values: FormValues) => void
}

function WindowForm({ first, action, busy, error, onSubmit }: WindowFormProps) {
  const [values, setValues] = useState(first)
  const set = (change: Partial<FormValues>) => setValues((before) => ({ ...before, ...change }))
  const at = fieldsOf(error)
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onSubmit(values)
      }}
    >
      <div className="form-notice">
        <FormProblems error={error} fields={FIELDS} />
      </div>
      <Part title="Window" about="What is done, in words for readers of status pages.">
        <TextInput
          label="Name"
          required
          autoFocus
          maxLength={120}
          value={values.name}
          onChange={(name) => set({ name })}
          problem={at('name')}
        />
        <TextArea
          label="Description"
          optional
          rows={3}
          maxLength={2000}
          value={values.description}
          onChange={(description) => set({ description })}
          problem={at('description')}
        />
      </Part>
      <Part title="Time" about="On the wall clock of its zone, also over clock changes.">
        <TimeFields values={values} set={set} at={at} />
      </Part>
      <Part title="Monitors" about="Whose alerts wait.">
        <MonitorChoice values={values} set={set} at={at} />
      </Part>
      <Part title="Readers" about="Who sees it.">
        <Readers values={values} set={set} at={at} />
      </Part>
      <div className="form-bar">
        <span className="hint" />
        <ButtonLink to={PATHS.maintenance}>Cancel</ButtonLink>
        <Button kind="primary" type="submit" busy={busy}>
          {action}
        </Button>
      </div>
    </form>
  )
}

function Readers({ values, set }: WindowPartProps) {
  return (
    <>
      <Choice
        checked={values.showOnStatusPages}
        onChange={(showOnStatusPages) => set({ showOnStatusPages })}
        label="Show it on status pages"
        hint="On every page with a monitor it covers."
      />
      <Choice
        checked={values.notifySubscribers}
        onChange={(notifySubscribers) => set({ notifySubscribers })}
        label="Tell their subscribers"
      />
    </>
  )
}

function Part({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <div className="form-grid">
      <div>
        <h2>{title}</h2>
        <p>{about}</p>
      </div>
      <div className="form-fields">{children}</div>
    </div>
  )
}
