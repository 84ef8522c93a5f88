import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { meQuery } from '../../api/queries.ts'
import { deletionText as TEXT } from '../../messages/settings.ts'
import { useMay, useOrganization } from '../../session/organization.ts'
import { useWrite } from '../../session/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { fieldsOf } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import '../../ui/form.css'

/** Only for owners. */
export function DangerZone() {
  const [isOpen, setOpen] = useState(false)
  if (!useMay('OWNER')) return null
  return (
    <div className="form-grid">
      <div>
        <h2>{TEXT.title}</h2>
        <p>{TEXT.about}</p>
      </div>
      <div className="form-fields">
        <p>{TEXT.explains}</p>
        <div>
          <Button kind="danger" onClick={() => setOpen(true)}>
            {TEXT.open}
          </Button>
        </div>
      </div>
      {isOpen && <DeleteOrganization onClose={() => setOpen(false)} />}
    </div>
  )
}

function DeleteOrganization({ onClose }: { onClose: () => void }) {
  const { name } = useOrganization()
  const [typed, setTyped] = useState('')
  const queries = useQueryClient()
  const { dialog } = TEXT
  // What follows replaces the whole dashboard, so it needs no message.
  const remove = useWrite('POST /deletion', {
    inForm: true,
    onDone: () => void queries.invalidateQueries(meQuery),
  })
  return (
    <FormDialog
      onClose={onClose}
      title={dialog.title({ name })}
      about={dialog.about}
      action={dialog.action}
      danger
      busy={remove.isPending}
      error={remove.error}
      fields={dialog.problems}
      onSubmit={() => remove.mutate({ body: { name: typed } })}
    >
      <TextInput
        label={dialog.label({ name })}
        autoFocus
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={typed}
        onChange={setTyped}
        problem={fieldsOf(remove.error, dialog.problems)('name')}
      />
    </FormDialog>
  )
}
