// Opsgenie shuts down on 5 April 2027. Its contacts say so, and move to its successor with one action.

import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { opsgenieSentences, opsgenieText as TEXT } from '../../messages/connections/opsgenie.ts'
import { listOf } from '../../messages/list.ts'
import { toast } from '../../session/toast.ts'
import { useWrite } from '../../session/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { fieldsOf } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { Mark } from '../../ui/state.tsx'
import type { ContactView } from './contact.ts'
import '../../ui/notice.css'

/** One for all contacts of Opsgenie. Nothing if there are none. */
export function OpsgenieNotice({ contacts }: { contacts: readonly ContactView[] }) {
  const names = contacts.filter(({ channel }) => channel === 'OPSGENIE').map(({ name }) => name)
  if (names.length === 0) return null
  return (
    <div className="notice is-degraded" role="note">
      <Mark state="DEGRADED" />
      <div className="grow wrap-any">
        <b className="strong">{TEXT.ends}</b>{' '}
        {TEXT.move({ count: names.length, names: listOf(names) })}
      </div>
    </div>
  )
}

/** Asks for a new key, and moves the contact. Nothing for contacts of other channels. */
export function MoveFromOpsgenie({ of }: { of: ContactView }) {
  const [asking, setAsking] = useState(false)
  if (of.channel !== 'OPSGENIE') return null
  return (
    <>
      <Button size="sm" onClick={() => setAsking(true)}>
        <ArrowRight className="icon dir" aria-hidden="true" />
        {TEXT.action}
      </Button>
      {asking && <MoveDialog of={of} onClose={() => setAsking(false)} />}
    </>
  )
}

function MoveDialog({ of, onClose }: { of: ContactView; onClose: () => void }) {
  const [apiKey, setApiKey] = useState('')
  const move = useWrite('POST /alert-contacts/{contactId}/move', {
    inForm: true,
    onDone: () => {
      toast(TEXT.moved({ name: of.name }))
      onClose()
    },
  })
  const at = fieldsOf(move.error, opsgenieSentences)
  return (
    <FormDialog
      onClose={onClose}
      title={TEXT.title({ name: of.name })}
      about={TEXT.about}
      action={TEXT.confirm}
      busy={move.isPending}
      error={move.error}
      fields={opsgenieSentences}
      onSubmit={() =>
        move.mutate({ params: { contactId: of.id }, body: apiKey === '' ? {} : { apiKey } })
      }
    >
      <TextInput
        label={TEXT.apiKey}
        hint={TEXT.apiKeyHint}
        optional
        autoComplete="off"
        spellCheck={false}
        maxLength={2048}
        value={apiKey}
        onChange={setApiKey}
        problem={at('apiKey')}
      />
    </FormDialog>
  )
}
