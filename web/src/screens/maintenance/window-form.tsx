import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import {
  maintenanceText,
  windowFormText as TEXT,
  windowSentences,
} from '../../messages/publishing/maintenance.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { useDefaultZone } from '../../shared/default-zone.ts'
import { ManagedNotice } from '../../shared/managed-by.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Choice, FormProblems, fieldsOf } from '../../ui/field.tsx'
import { TextArea, TextInput } from '../../ui/inputs.tsx'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { useFocusProblem } from '../../ui/use-focus-problem.ts'
import { emptyValues, type FormValues, toBody, toValues } from './form-values.ts'
import { MonitorChoice } from './monitor-choice.tsx'
import { TimeFields } from './time-fields.tsx'
import type { WindowPartProps } from './window-fields.ts'
import '../../ui/form.css'

const CRUMBS = [{ label: maintenanceText.title, to: PATHS.maintenance }]

export function NewWindow() {
  const done = useDone(maintenanceText.done.scheduled)
  const zone = useDefaultZone()
  const [first] = useState(() => emptyValues(Date.now(), zone))
  const create = useWrite('POST /maintenance-windows', { inForm: true, onDone: done })
  return (
    <Page title={TEXT.newTitle} crumbs={CRUMBS} narrow>
      <WindowForm
        first={first}
        action={TEXT.create}
        busy={create.isPending}
        error={create.error}
        onSubmit={(values) => create.mutate({ body: { ...toBody(values), statusPageIds: [] } })}
      />
    </Page>
  )
}

export function EditWindow() {
  const { windowId = '' } = useParams({ strict: false })
  const done = useDone(maintenanceText.done.saved)
  const params = { maintenanceId: windowId }
  const window = useRead('GET /maintenance-windows/{maintenanceId}', { params })
  const change = useWrite('PATCH /maintenance-windows/{maintenanceId}', {
    inForm: true,
    onDone: done,
  })
  return (
    <Page title={TEXT.editTitle} crumbs={CRUMBS} narrow>
      <Loaded query={window} loading={<Skeleton />}>
        {(data) => (
          <>
            <ManagedNotice id={windowId} />
            <WindowForm
              first={toValues(data)}
              action={TEXT.save}
              busy={change.isPending}
              error={change.error}
              onSubmit={(values) => change.mutate({ params, body: toBody(values) })}
            />
          </>
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
  const at = fieldsOf(error, windowSentences)
  useFocusProblem(error)
  return (
    <form
      className="card"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) onSubmit(values)
      }}
    >
      <div className="form-notice">
        <FormProblems error={error} fields={windowSentences} />
      </div>
      <Part {...TEXT.what}>
        <TextInput
          label={TEXT.name}
          required
          autoFocus
          maxLength={120}
          value={values.name}
          onChange={(name) => set({ name })}
          problem={at('name')}
        />
        <TextArea
          label={TEXT.description}
          optional
          rows={3}
          maxLength={2000}
          value={values.description}
          onChange={(description) => set({ description })}
          problem={at('description')}
        />
      </Part>
      <Part {...TEXT.time}>
        <TimeFields values={values} set={set} at={at} />
      </Part>
      <Part {...TEXT.monitors}>
        <MonitorChoice values={values} set={set} at={at} />
      </Part>
      <Part title={TEXT.visibility}>
        <Visibility values={values} set={set} at={at} />
      </Part>
      <div className="form-bar">
        <span className="hint" />
        <ButtonLink to={PATHS.maintenance}>{TEXT.cancel}</ButtonLink>
        <Button kind="primary" type="submit" busy={busy}>
          {action}
        </Button>
      </div>
    </form>
  )
}

function Visibility({ values, set }: WindowPartProps) {
  return (
    <>
      <Choice
        checked={values.showOnStatusPages}
        onChange={(showOnStatusPages) => set({ showOnStatusPages })}
        label={TEXT.onPages}
        hint={TEXT.onPagesHint}
      />
      <Choice
        checked={values.notifySubscribers}
        onChange={(notifySubscribers) => set({ notifySubscribers })}
        label={TEXT.notify}
      />
    </>
  )
}

type PartProps = { title: string; about?: string; children: ReactNode }

function Part({ title, about, children }: PartProps) {
  return (
    <div className="form-grid">
      <div>
        <h2>{title}</h2>
        {about !== undefined && <p>{about}</p>}
      </div>
      <div className="form-fields">{children}</div>
    </div>
  )
}
