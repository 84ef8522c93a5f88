import { useState } from 'react'
import type { ResponseOf } from '../../api/contract.ts'
import { useWrite } from '../../session/use-api.ts'
import { fieldsOf } from '../../ui/field.tsx'
import { SelectInput, TextInput } from '../../ui/inputs.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import type { ApiKeyView } from './key.ts'
import '../../ui/form.css'

const ACCESS = [
  { value: 'FULL', label: 'Full' },
  { value: 'READ_ONLY', label: 'Read only' },
] as const
const ACCESS_HINTS = { FULL: 'Reads and changes everything.', READ_ONLY: 'Changes nothing.' }
const ENDS = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In one year' },
] as const
const DAY_MS = 24 * 3_600_000

const endOf = (days: string): string | null =>
  days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()

type KeyFormProps = { onClose: () => void; onCreated: (made: ResponseOf<'POST /keys'>) => void }

export function KeyForm({ onClose, onCreated }: KeyFormProps) {
  const [name, setName] = useState('')
  const [access, setAccess] = useState<ApiKeyView['access']>('FULL')
  const [days, setDays] = useState<(typeof ENDS)[number]['value']>('')
  const create = useWrite('POST /keys', { inForm: true, onDone: onCreated })
  const at = fieldsOf(create.error)
  return (
    <FormDialog
      onClose={onClose}
      title="New API key"
      about="For a program that reads or changes this organization."
      action="Create key"
      busy={create.isPending}
      error={create.error}
      fields={['name', 'access', 'expiresAt']}
      onSubmit={() => create.mutate({ body: { name, access, expiresAt: endOf(days) } })}
    >
      <TextInput
        label="Name"
        hint="What it is for, such as “Terraform”."
        required
        autoFocus
        maxLength={120}
        value={name}
        onChange={setName}
        problem={at('name')}
      />
      <div className="form-2">
        <SelectInput
          label="Access"
          value={access}
          onChange={setAccess}
          options={ACCESS}
          hint={ACCESS_HINTS[access]}
          problem={at('access')}
        />
        <SelectInput
          label="Expires"
          value={days}
          onChange={setDays}
          options={ENDS}
          problem={at('expiresAt')}
        />
      </div>
    </FormDialog>
  )
}
