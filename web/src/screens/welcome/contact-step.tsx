import { useState } from 'react'
import { ALERT_STATES } from '../../../../src/domain/alerts/model.ts'
import { welcomeText } from '../../messages/entry/welcome.ts'
import { useShell } from '../../session/organization.ts'
import { useWrite } from '../../session/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FormProblems, fieldsOf } from '../../ui/field.tsx'
import type { FirstContact } from './use-created.ts'

const text = welcomeText.contact

type Props = {
  /** Existing contacts, newest first. */
  contacts: readonly FirstContact[]
  onDone: (sentence: string) => void
  onSkip: () => void
}

/** An email address for alerts. The person's own address gets a test at once; any other must confirm first. */
export function ContactStep({ contacts, onDone, onSkip }: Props) {
  const { me } = useShell()
  const mails = contacts.filter(({ channel }) => channel === 'EMAIL')
  const [address, setAddress] = useState(mails[0]?.settings['address'] ?? me.person.email)
  const { save, test, resend, error, busy } = useContact(address, onDone)
  const at = fieldsOf(error, text.problems)
  const same = mails.find(({ settings }) => settings['address'] === address)
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        // Retry for the existing contact: a duplicate would get every alert twice.
        if (same === undefined) save()
        else if (same.confirmed) test(same.id)
        else resend(same.id)
      }}
    >
      <FormProblems error={error} fields={text.problems} />
      <Field label={text.email} hint={text.hint} problem={at('settings') ?? at('name')}>
        {(control) => (
          <input
            {...control}
            className="input tall"
            type="email"
            required
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
        )}
      </Field>
      <div className="actions">
        <Button type="submit" kind="primary" size="lg" busy={busy}>
          {sendLabel(same, address === me.person.email)}
        </Button>
        <Button kind="ghost" size="lg" onClick={onSkip}>
          {welcomeText.skip}
        </Button>
      </div>
    </form>
  )
}

function sendLabel(same: FirstContact | undefined, isOwn: boolean): string {
  if (same === undefined) return isOwn ? text.addAndTest : text.add
  return same.confirmed ? text.test : text.resend
}

/** Keeps one contact across retries: correcting the address changes the same contact. */
function useContact(address: string, onDone: (sentence: string) => void) {
  const [ownId, setOwnId] = useState<string>()
  const inForm = true
  const test = useWrite('POST /alert-contacts/{contactId}/test', {
    inForm,
    onDone: () => onDone(text.tested({ address })),
  })
  const send = (contactId: string) => test.mutate({ params: { contactId } })
  const asked = () => onDone(text.waiting({ address }))
  const resend = useWrite('POST /alert-contacts/{contactId}/confirmation', {
    inForm,
    onDone: asked,
  })
  const create = useWrite('POST /alert-contacts', {
    inForm,
    onDone: ({ id, confirmed }) => {
      setOwnId(id)
      if (confirmed) send(id)
      else asked()
    },
  })
  const correct = useWrite('PATCH /alert-contacts/{contactId}', {
    inForm,
    onDone: ({ id, confirmed }) => (confirmed ? send(id) : asked()),
  })
  const named = { name: address, settings: { address } }
  const save = () => {
    test.reset()
    if (ownId === undefined) create.mutate({ body: { ...named, ...RULES } })
    else correct.mutate({ params: { contactId: ownId }, body: named })
  }
  return {
    save,
    test: send,
    resend: (contactId: string) => resend.mutate({ params: { contactId } }),
    error: create.error ?? correct.error ?? test.error ?? resend.error,
    busy: create.isPending || correct.isPending || test.isPending || resend.isPending,
  }
}

const RULES = {
  channel: 'EMAIL' as const,
  enabled: true,
  states: [...ALERT_STATES],
  delayMinutes: 0,
  reminderMinutes: null,
  quietHours: null,
  allMonitors: true,
}
