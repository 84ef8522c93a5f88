// Alert links end in `#acknowledge`. They open the confirmation dialog; opening a link alone never acknowledges.
import { useLocation, useNavigate } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useMay } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useWrite } from '../../session/use-api.ts'
import { formatMoment } from '../../time/format.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FormProblems, fieldsOf } from '../../ui/field.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { type IncidentScreen, titleOf } from './screen.ts'
import './incident.css'

const FIELDS = ['note']
const MAX_NOTE = 1000

export function AcknowledgeDialog({ incident }: { incident: IncidentScreen }) {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const may = useMay('MEMBER')
  const close = () => void navigate({ to: '.', search: true, hash: '', replace: true })
  const isOpen = hash === 'acknowledge'
  const canAcknowledge = may && !incident.acknowledged && incident.resolvedAt === null
  if (!isOpen) return null
  return canAcknowledge ? (
    <AcknowledgeForm incident={incident} close={close} />
  ) : (
    <Dialog
      open
      onClose={close}
      title={titleOf(incident)}
      about={whyNot(incident, may)}
      foot={
        <Button kind="primary" onClick={close}>
          Read on
        </Button>
      }
    />
  )
}

function whyNot(
  { acknowledgedBy, acknowledgedAt, resolvedAt }: IncidentScreen,
  may: boolean,
): string {
  if (acknowledgedBy !== null)
    return `${acknowledgedBy.name} took it at ${formatMoment(acknowledgedAt ?? '', Date.now())}.`
  if (resolvedAt !== null)
    return `It ended at ${formatMoment(resolvedAt, Date.now())}, and nobody needs to take it.`
  return may ? '' : 'Your role only reads: somebody else has to take it.'
}

function AcknowledgeForm({ incident, close }: { incident: IncidentScreen; close: () => void }) {
  const [note, setNote] = useState('')
  const acknowledge = useWrite('POST /incidents/{incidentId}/acknowledge', {
    inForm: true,
    onDone: () => {
      close()
      toast(`You took ${incident.monitor.name}. Reminders stop.`)
    },
  })
  const at = fieldsOf(acknowledge.error)
  const send = (event: FormEvent) => {
    event.preventDefault()
    const body = note.trim() === '' ? {} : { note: note.trim() }
    acknowledge.mutate({ params: { incidentId: incident.id }, body })
  }
  return (
    <Dialog
      open
      onClose={close}
      className="take"
      title={titleOf(incident)}
      about={
        <>
          {incident.cause}, for <Time at={incident.startedAt} as="elapsed" />. Taking it stops
          reminders and tells the others.
        </>
      }
      foot={
        <>
          <Button onClick={close}>Not now</Button>
          <Button
            kind="primary"
            type="submit"
            form="acknowledge"
            autoFocus
            busy={acknowledge.isPending}
          >
            {!acknowledge.isPending && <Check className="icon" aria-hidden="true" />}
            Acknowledge
          </Button>
        </>
      }
    >
      <form id="acknowledge" onSubmit={send}>
        <FormProblems error={acknowledge.error} fields={FIELDS} />
        <Field label="Note for the others" optional problem={at('note')}>
          {(control) => (
            <input
              {...control}
              className="input"
              maxLength={MAX_NOTE}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
