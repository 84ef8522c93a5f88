import { useState } from 'react'
import { ALERT_STATES } from '../../../../src/domain/alerting.ts'
import { useWrite } from '../../api/use-own.ts'
import { useHere } from '../../shell/organization.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FormProblems, fieldsOf } from '../../ui/field.tsx'

type Props = { onDone: (address: string) => void; onSkip: () => void }

/** An address for alerts, with a message sent to it at once. */
export function ContactStep({ onDone, onSkip }: Props) {
  const { me } = useHere()
  const [address, setAddress] = useState(me.person.email)
  const test = useWrite('POST /alert-contacts/{contactId}/test', {
    onDone: () => onDone(`${address}, a test is on its way`),
  })
  const create = useWrite('POST /alert-contacts', {
    inForm: true,
    onDone: ({ id }) => test.mutate({ params: { contactId: id } }),
  })
  const body = {
    name: address,
    channel: 'EMAIL' as const,
    settings: { address },
    enabled: true,
    states: [...ALERT_STATES],
    delayMinutes: 0,
    reminderMinutes: null,
    quietHours: null,
    allMonitors: true,
  }
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate({ body })
      }}
    >
      <FormProblems error={create.error} fields={['settings', 'name']} />
      <Field
        label="E-mail"
        hint="Chat, paging and webhooks can be added later."
        problem={fieldsOf(create.error)('settings') ?? fieldsOf(create.error)('name')}
      >
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
        <Button type="submit" kind="primary" size="lg" busy={create.isPending || test.isPending}>
          Add and send a test
        </Button>
        <Button kind="ghost" size="lg" onClick={onSkip}>
          Skip
        </Button>
      </div>
    </form>
  )
}
