import { useState } from 'react'
import type { ResponseOf } from '../../api/contract.ts'
import { replaceKeyText as TEXT } from '../../messages/connections/api-keys.ts'
import { useWrite } from '../../session/use-api.ts'
import { SelectInput } from '../../ui/inputs.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import type { ApiKeyView } from './key.ts'

const GRACE = [
  { value: '0', label: TEXT.now },
  { value: '1', label: TEXT.hour },
  { value: '24', label: TEXT.day },
  { value: '168', label: TEXT.week },
] as const

type ReplaceKeyProps = {
  of: ApiKeyView
  onClose: () => void
  onCreated: (made: ResponseOf<'POST /keys'>, graceHours: number) => void
}

/** Creates a replacement for a key in use. The old key stays valid for a grace period. */
export function ReplaceKey({ of, onClose, onCreated }: ReplaceKeyProps) {
  const [hours, setHours] = useState<(typeof GRACE)[number]['value']>('24')
  const replace = useWrite('POST /keys/{keyId}/replace', {
    inForm: true,
    onDone: (made) => onCreated(made, Number(hours)),
  })
  const submit = () =>
    replace.mutate({ params: { keyId: of.id }, body: { graceHours: Number(hours) } })
  return (
    <FormDialog
      onClose={onClose}
      title={TEXT.title({ name: of.name })}
      about={TEXT.about}
      action={TEXT.action}
      busy={replace.isPending}
      error={replace.error}
      fields={[]}
      onSubmit={submit}
    >
      <SelectInput
        label={TEXT.old({ last4: of.last4 })}
        value={hours}
        onChange={setHours}
        options={GRACE}
      />
    </FormDialog>
  )
}
