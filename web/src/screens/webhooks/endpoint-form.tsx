import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { EVENT_TYPES } from '../../../../src/domain/events/event.ts'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import type { ResponseOf } from '../../api/contract.ts'
import { receiverTestText } from '../../messages/connections/receiver-test.ts'
import {
  endpointSentences,
  endpointFormText as TEXT,
  webhooksText,
} from '../../messages/connections/webhooks.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { ManagedNotice } from '../../shared/managed-by.tsx'
import { ReceiverResult } from '../../shared/receiver-test.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Choice, FormProblems, fieldsOf } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { useFocusProblem } from '../../ui/use-focus-problem.ts'
import { type Chosen, EventChoice } from './event-choice.tsx'
import { NewSecret } from './new-secret.tsx'
import '../../ui/form.css'

const CRUMBS = [{ label: webhooksText.title, to: PATHS.webhooks }]

type Values = { url: string; description: string; eventTypes: Chosen }

export function NewEndpoint() {
  const navigate = useNavigate()
  const [made, setMade] = useState<ResponseOf<'POST /webhook-endpoints'>>()
  const create = useWrite('POST /webhook-endpoints', { inForm: true, onDone: setMade })
  return (
    <Page title={TEXT.newTitle} crumbs={CRUMBS} narrow>
      <EndpointForm
        first={{ url: '', description: '', eventTypes: ['*'] }}
        action={TEXT.create}
        busy={create.isPending}
        error={create.error}
        onSubmit={(values) => create.mutate({ body: { ...toBody(values), enabled: true } })}
      />
      {made && <NewSecret of={made} onClose={() => void navigate({ to: PATHS.webhooks })} />}
    </Page>
  )
}

export function EditEndpoint() {
  const { endpointId = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const endpoint = useRead('GET /webhook-endpoints/{endpointId}', { params: { endpointId } })
  const change = useWrite('PATCH /webhook-endpoints/{endpointId}', {
    inForm: true,
    onDone: () => {
      toast(TEXT.saved)
      void navigate({ to: PATHS.webhooks })
    },
  })
  return (
    <Page title={TEXT.editTitle} crumbs={CRUMBS} narrow>
      <Loaded query={endpoint} loading={<Skeleton />}>
        {({ url, description, eventTypes }) => (
          <>
            <ManagedNotice id={endpointId} />
            <EndpointForm
              // Safe because the server stores only known types and `*`.
              first={{ url, description: description ?? '', eventTypes: eventTypes as Chosen }}
              endpointId={endpointId}
              action={TEXT.save}
              busy={change.isPending}
              error={change.error}
              onSubmit={(values) => change.mutate({ params: { endpointId }, body: toBody(values) })}
            />
          </>
        )}
      </Loaded>
    </Page>
  )
}

const toBody = ({ url, description, eventTypes }: Values) => ({
  url: url.trim(),
  description: description === '' ? null : description,
  eventTypes,
})

type EndpointFormProps = {
  first: Values
  /** The endpoint that is edited. */
  endpointId?: string
  action: string
  busy: boolean
  error: unknown
  onSubmit: (values: Values) => void
}

function EndpointForm({ endpointId, action, busy, onSubmit, ...props }: EndpointFormProps) {
  const [values, setValues] = useState(props.first)
  const trial = useWrite('POST /webhook-endpoint-trials', { inForm: true })
  const set = (change: Partial<Values>) => {
    trial.reset()
    setValues((before) => ({ ...before, ...change }))
  }
  const error = trial.error ?? props.error
  const at = fieldsOf(error, endpointSentences)
  useFocusProblem(error)
  const none = values.eventTypes.length === 0
  return (
    <form
      className="card"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        trial.reset()
        if (!none && !busy) onSubmit(values)
      }}
    >
      <div className="form-notice">
        <FormProblems error={props.error} fields={endpointSentences} />
      </div>
      <AddressPart values={values} onChange={set} at={at} />
      <EventsPart chosen={values.eventTypes} onChange={(eventTypes) => set({ eventTypes })} />
      <ReceiverResult
        result={trial.data}
        error={trial.error}
        sentences={endpointSentences}
        temporarySecret={endpointId === undefined && trial.data?.delivered === false}
      />
      <div className="form-bar">
        <span className="hint">{none ? TEXT.noEvents : ''}</span>
        <Button
          busy={trial.isPending}
          onClick={() =>
            trial.mutate({ body: { url: values.url.trim(), ...(endpointId && { endpointId }) } })
          }
        >
          {receiverTestText.send}
        </Button>
        <ButtonLink to={PATHS.webhooks}>{TEXT.cancel}</ButtonLink>
        <Button kind="primary" type="submit" busy={busy} whyNot={none ? TEXT.noEvents : undefined}>
          {action}
        </Button>
      </div>
    </form>
  )
}

type AddressPartProps = {
  values: Values
  onChange: (change: Partial<Values>) => void
  at: (path: string) => string | undefined
}

function AddressPart({ values, onChange, at }: AddressPartProps) {
  return (
    <div className="form-grid">
      <div>
        <h2>{TEXT.endpoint}</h2>
        <p>{TEXT.endpointAbout}</p>
      </div>
      <div className="form-fields">
        <TextInput
          label={TEXT.url}
          hint={TEXT.urlHint}
          type="url"
          required
          autoFocus
          spellCheck={false}
          placeholder="https://hooks.example.com/upvane"
          value={values.url}
          onChange={(url) => onChange({ url })}
          problem={at('url')}
        />
        <TextInput
          label={TEXT.description}
          optional
          maxLength={500}
          value={values.description}
          onChange={(description) => onChange({ description })}
          problem={at('description')}
        />
      </div>
    </div>
  )
}

type EventsPartProps = { chosen: Chosen; onChange: (chosen: Chosen) => void }

function EventsPart({ chosen, onChange }: EventsPartProps) {
  const all = chosen.includes('*')
  return (
    <div className="form-grid">
      <div>
        <h2>{TEXT.events}</h2>
        <p>{TEXT.eventsAbout}</p>
      </div>
      <div className="form-fields">
        <Choice
          as="switch"
          checked={all}
          onChange={(every) => onChange(every ? ['*'] : [...EVENT_TYPES])}
          label={TEXT.allEvents}
          hint={TEXT.allEventsHint}
        />
        {!all && <EventChoice chosen={chosen} onChange={onChange} />}
      </div>
    </div>
  )
}
