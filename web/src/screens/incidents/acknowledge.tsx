// Alert links end in `#acknowledge`. They open the confirmation dialog; opening a link alone never acknowledges.

import { useLocation, useNavigate } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { incidentText } from '../../messages/incidents.ts'
import { lowerFirst } from '../../messages/sentence.ts'
import { useMay } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useWrite } from '../../session/use-api.ts'
import { causeSentence } from '../../shared/cause-sentence.ts'
import { formatMoment } from '../../time/format.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FormProblems, fieldsOf } from '../../ui/field.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { acknowledgedSentence, type IncidentScreen, titleOf } from './screen.ts'
import './incident.css'

const text = incidentText.dialog
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
          {text.view}
        </Button>
      }
    />
  )
}

function whyNot(incident: IncidentScreen, may: boolean): string {
  const { resolvedAt } = incident
  const sentence = acknowledgedSentence(incident)
  if (sentence !== undefined) return sentence
  if (resolvedAt !== null) return text.resolved({ moment: formatMoment(resolvedAt, Date.now()) })
  return may ? '' : text.readOnly
}

function AcknowledgeForm({ incident, close }: { incident: IncidentScreen; close: () => void }) {
  const [note, setNote] = useState('')
  const acknowledge = useWrite('POST /incidents/{incidentId}/acknowledge', {
    inForm: true,
    onDone: () => {
      close()
      toast(incidentText.acknowledged)
    },
  })
  const at = fieldsOf(acknowledge.error, text.problems)
  const send = (event: FormEvent) => {
    event.preventDefault()
    const body = note.trim() === '' ? {} : { note: note.trim() }
    acknowledge.mutate({ params: { incidentId: incident.id }, body })
  }
  return (
    <Dialog
      open
      onClose={close}
      className="acknowledge"
      title={titleOf(incident)}
      about={
        <>
          {text.downFor} <Time at={incident.startedAt} as="elapsed" />:{' '}
          {lowerFirst(causeSentence(incident.cause ?? ''))}. {text.about}
        </>
      }
      foot={
        <>
          <Button onClick={close}>{text.notNow}</Button>
          <Button
            kind="primary"
            type="submit"
            form="acknowledge"
            autoFocus
            busy={acknowledge.isPending}
          >
            {!acknowledge.isPending && <Check className="icon" aria-hidden="true" />}
            {incidentText.acknowledge}
          </Button>
        </>
      }
    >
      <form id="acknowledge" onSubmit={send}>
        <FormProblems error={acknowledge.error} fields={text.problems} />
        <Field label={text.note} optional problem={at('note')}>
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
