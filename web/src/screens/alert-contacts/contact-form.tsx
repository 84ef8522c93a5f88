import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { ContactChannel } from '../../../../src/domain/alerts/channels.ts'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import type { ResponseOf } from '../../api/contract.ts'
import {
  contactSentences,
  contactsText,
  contactFormText as TEXT,
} from '../../messages/connections/contacts.ts'
import { receiverTestText } from '../../messages/connections/receiver-test.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { ManagedNotice } from '../../shared/managed-by.tsx'
import { ReceiverResult } from '../../shared/receiver-test.tsx'
import { VIEWER_ZONE } from '../../time/viewer.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Choice, FormProblems, fieldsOf } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { useFocusProblem } from '../../ui/use-focus-problem.ts'
import { ALERT_STATES } from './contact.ts'
import { type Rules, RulesFields } from './rules-fields.tsx'
import { ChannelChoice, SettingsFields } from './settings-fields.tsx'
import '../../ui/form.css'
import './contact-form.css'

const CRUMBS = [{ label: contactsText.title, to: PATHS.alertContacts }]

type Values = Rules & {
  name: string
  channel: ContactChannel
  settings: Record<string, string>
}

const EMPTY: Values = {
  name: '',
  channel: 'EMAIL',
  settings: {},
  enabled: true,
  states: ALERT_STATES,
  delayMinutes: 0,
  reminderMinutes: null,
  quietHours: null,
}

export function NewContact() {
  const done = useDone(TEXT.created)
  const [allMonitors, setAllMonitors] = useState(true)
  const [made, setMade] = useState<ResponseOf<'POST /alert-contacts'>>()
  const create = useWrite('POST /alert-contacts', {
    inForm: true,
    onDone: (answer) => (answer.secret === null ? done(answer) : setMade(answer)),
  })
  return (
    <Page title={TEXT.newTitle} crumbs={CRUMBS} narrow>
      <ContactForm
        first={EMPTY}
        isNew
        busy={create.isPending}
        error={create.error}
        onSubmit={(values) => create.mutate({ body: { ...values, allMonitors } })}
      >
        <Choice
          checked={allMonitors}
          onChange={setAllMonitors}
          label={TEXT.allMonitors}
          hint={TEXT.allMonitorsHint}
        />
      </ContactForm>
      {made?.secret != null && (
        <ShownOnce
          onClose={() => done(made)}
          title={TEXT.secret.title({ name: made.name })}
          about={TEXT.secret.about}
          label={TEXT.secret.label}
          secret={made.secret}
          hint={TEXT.secret.hint}
        />
      )}
    </Page>
  )
}

export function EditContact() {
  const { contactId = '' } = useParams({ strict: false })
  const done = useDone(TEXT.saved)
  const contact = useRead('GET /alert-contacts/{contactId}', { params: { contactId } })
  const change = useWrite('PATCH /alert-contacts/{contactId}', { inForm: true, onDone: done })
  return (
    <Page title={TEXT.editTitle} crumbs={CRUMBS} narrow>
      <Loaded query={contact} loading={<Skeleton />}>
        {(data) => (
          <>
            <ManagedNotice id={contactId} />
            <ContactForm
              // Secrets arrive masked. Fields left empty keep their value.
              first={{ ...data, settings: {} }}
              shown={data.settings}
              contactId={contactId}
              busy={change.isPending}
              error={change.error}
              onSubmit={(values) =>
                change.mutate({ params: { contactId }, body: toChange(values) })
              }
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
    void navigate({ to: PATHS.alertContacts, search: { contact: id } })
  }
}

/** The channel cannot be changed. */
function toChange({ name, settings, enabled, states, delayMinutes, ...rest }: Values) {
  const { reminderMinutes, quietHours } = rest
  return { name, settings, enabled, states, delayMinutes, reminderMinutes, quietHours }
}

const given = (settings: Record<string, string>) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''))

type ContactFormProps = {
  first: Values
  /** The current settings as the server shows them (secrets masked). */
  shown?: Record<string, string>
  isNew?: boolean
  /** The contact that is edited. */
  contactId?: string
  busy: boolean
  error: unknown
  onSubmit: (values: Values) => void
  children?: ReactNode
}

function ContactForm(props: ContactFormProps) {
  const { first, shown = {}, isNew = false, busy, onSubmit, children } = props
  const [values, setValues] = useState(() => pickValues(first))
  const trial = useTrial(props.contactId)
  const set = (change: Partial<Values>) => {
    trial.reset()
    setValues((before) => ({ ...before, ...change }))
  }
  const error = trial.error ?? props.error
  const at = fieldsOf(error, contactSentences)
  useFocusProblem(error)
  return (
    <form
      className="card"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        trial.reset()
        if (!busy) onSubmit({ ...values, settings: given(values.settings) })
      }}
    >
      <div className="form-notice">
        <FormProblems error={props.error} fields={contactSentences} />
      </div>
      {isNew && (
        <Part {...TEXT.channel}>
          <ChannelChoice
            value={values.channel}
            onChange={(channel, settings) => set({ channel, settings })}
          />
        </Part>
      )}
      <Part {...TEXT.contact}>
        <TextInput
          label={TEXT.name}
          required
          maxLength={120}
          value={values.name}
          onChange={(name) => set({ name })}
          problem={at('name')}
        />
        <SettingsFields
          channel={values.channel}
          shown={shown}
          values={values.settings}
          onChange={(settings) => set({ settings })}
          at={at}
        />
        {children}
      </Part>
      <Part {...TEXT.rules}>
        <RulesFields values={values} onChange={set} at={at} zone={VIEWER_ZONE} />
      </Part>
      <SendPart values={values} trial={trial} isNew={isNew} busy={busy} />
    </form>
  )
}

/** A test alert with the values of the form; nothing is saved. */
function useTrial(contactId: string | undefined) {
  const trial = useWrite('POST /alert-contact-trials', { inForm: true })
  return {
    ...trial,
    send: ({ name, channel, settings }: Values) =>
      trial.mutate({
        body: { name, channel, settings: given(settings), ...(contactId && { contactId }) },
      }),
  }
}

type SendPartProps = {
  values: Values
  trial: ReturnType<typeof useTrial>
  isNew: boolean
  busy: boolean
}

function SendPart({ values, trial, isNew, busy }: SendPartProps) {
  return (
    <>
      <ReceiverResult
        result={trial.data}
        error={trial.error}
        sentences={contactSentences}
        isEmail={values.channel === 'EMAIL'}
      />
      <div className="form-bar">
        <span className="hint" />
        <Button busy={trial.isPending} onClick={() => trial.send(values)}>
          {receiverTestText.send}
        </Button>
        <ButtonLink to={PATHS.alertContacts}>{TEXT.cancel}</ButtonLink>
        <Button kind="primary" type="submit" busy={busy}>
          {isNew ? TEXT.create : TEXT.save}
        </Button>
      </div>
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

/** Only writable fields are sent back. */
function pickValues(from: Values): Values {
  const { name, channel, settings, enabled, states, delayMinutes, reminderMinutes, quietHours } =
    from
  return { name, channel, settings, enabled, states, delayMinutes, reminderMinutes, quietHours }
}
