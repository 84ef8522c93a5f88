import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../api/call.ts'
import { meQuery } from '../../api/queries.ts'
import { passkeysText as text } from '../../messages/entry/passkeys.ts'
import { useShell } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { browserOf } from '../../shared/notifications/browser.ts'
import { createPasskey } from '../../shared/passkeys.ts'
import { fieldsOf } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { CurrentPassword } from './current-password.tsx'
import { passkeysQuery, SESSIONS_KEY } from './use-personal.ts'

type AddPasskeyProps = { onClose: () => void; onCodes: (codes: readonly string[]) => void }

export function AddPasskey({ onClose, onCodes }: AddPasskeyProps) {
  const { hasPassword } = useShell().me.person
  const [name, setName] = useState(() => browserOf(navigator.userAgent).name.slice(0, 120))
  const [current, setCurrent] = useState('')
  const add = useAdd(onCodes)
  const at = fieldsOf(add.error, text.problems)
  return (
    <FormDialog
      onClose={onClose}
      title={text.add}
      about={text.addAbout}
      action={text.addAction}
      busy={add.isPending}
      error={add.error}
      fields={text.problems}
      onSubmit={() => add.mutate({ name, current })}
    >
      <TextInput
        label={text.name}
        hint={text.nameHint}
        required
        maxLength={120}
        value={name}
        onChange={setName}
        problem={at('name')}
      />
      {hasPassword && <CurrentPassword value={current} onChange={setCurrent} error={add.error} />}
    </FormDialog>
  )
}

/** The server's question, the browser's answer, and the server again. */
function useAdd(onCodes: (codes: readonly string[]) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ name, current }: { name: string; current: string }) => {
      const options = await callApi('POST /me/passkeys/begin', { body: { name, current } })
      const answer = await createPasskey(options)
      return callApi('POST /me/passkeys', { body: { name, ...answer } })
    },
    onSuccess: ({ recoveryCodes }) => {
      void queries.invalidateQueries(meQuery)
      void queries.invalidateQueries(passkeysQuery)
      void queries.invalidateQueries({ queryKey: SESSIONS_KEY })
      toast(text.addDone)
      onCodes(recoveryCodes)
    },
  })
}
