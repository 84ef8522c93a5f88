import { useState } from 'react'
import type { ResponseOf } from '../../api/contract.ts'
import { keySentences, keysText, keyFormText as TEXT } from '../../messages/connections/api-keys.ts'
import { useWrite } from '../../session/use-api.ts'
import { Choice, fieldsOf } from '../../ui/field.tsx'
import { SelectInput, TextInput } from '../../ui/inputs.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import type { ApiKeyView } from './key.ts'
import '../../ui/form.css'

const ACCESS = [
  { value: 'FULL', label: keysText.accessNames.FULL },
  { value: 'READ_ONLY', label: keysText.accessNames.READ_ONLY },
] as const
const ENDS = [
  { value: '', label: TEXT.never },
  { value: '30', label: TEXT.days30 },
  { value: '90', label: TEXT.days90 },
  { value: '365', label: TEXT.year },
] as const
const DAY_MS = 24 * 3_600_000

const endOf = (days: string): string | null =>
  days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()

type KeyFormProps = { onClose: () => void; onCreated: (made: ResponseOf<'POST /keys'>) => void }

export function KeyForm({ onClose, onCreated }: KeyFormProps) {
  const [name, setName] = useState('')
  const [access, setAccess] = useState<ApiKeyView['access']>('FULL')
  const [days, setDays] = useState<(typeof ENDS)[number]['value']>('')
  const [forAssistants, setForAssistants] = useState(false)
  const mcpWrites = access === 'FULL' && forAssistants
  const create = useWrite('POST /keys', { inForm: true, onDone: onCreated })
  const at = fieldsOf(create.error, keySentences)
  return (
    <FormDialog
      onClose={onClose}
      title={TEXT.title}
      about={TEXT.about}
      action={TEXT.action}
      busy={create.isPending}
      error={create.error}
      fields={keySentences}
      onSubmit={() => create.mutate({ body: { name, access, expiresAt: endOf(days), mcpWrites } })}
    >
      <TextInput
        label={TEXT.name}
        hint={TEXT.nameHint}
        required
        autoFocus
        maxLength={120}
        value={name}
        onChange={setName}
        problem={at('name')}
      />
      <div className="form-2">
        <SelectInput
          label={TEXT.access}
          value={access}
          onChange={setAccess}
          options={ACCESS}
          hint={TEXT.accessHints[access]}
          problem={at('access')}
        />
        <SelectInput
          label={TEXT.expires}
          value={days}
          onChange={setDays}
          options={ENDS}
          problem={at('expiresAt')}
        />
      </div>
      {access === 'FULL' && (
        <Choice
          checked={forAssistants}
          onChange={setForAssistants}
          label={TEXT.mcp}
          hint={TEXT.mcpHint}
        />
      )}
    </FormDialog>
  )
}
