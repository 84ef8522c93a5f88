import { useState } from 'react'
import { allows, ROLES, type Role } from '../../../../src/domain/people/role.ts'
import type { ResponseOf } from '../../api/contract.ts'
import { teamText } from '../../messages/team.ts'
import { useOrganization } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useWrite } from '../../session/use-api.ts'
import { fieldsOf } from '../../ui/field.tsx'
import { SelectInput, TextInput } from '../../ui/inputs.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { roleLabel } from '../../ui/role-label.ts'
import { ROLE_MAY } from './roles-help.tsx'

type InviteFormProps = {
  onClose: () => void
  onInvited: (invited: ResponseOf<'POST /invitations'>) => void
}

export function InviteForm({ onClose, onInvited }: InviteFormProps) {
  const { name, role: own } = useOrganization()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('MEMBER')
  const invite = useWrite('POST /invitations', {
    inForm: true,
    onDone: (invited) => {
      if (invited.mailed) toast(`Invitation sent to ${invited.email}`)
      onInvited(invited)
    },
  })
  const at = fieldsOf(invite.error)
  const options = ROLES.filter((one) => allows(own, one)).map((value) => ({
    value,
    label: roleLabel(value),
  }))
  return (
    <FormDialog
      onClose={onClose}
      title={`Invite to ${name}`}
      action={teamText.invite}
      busy={invite.isPending}
      error={invite.error}
      fields={['email', 'role']}
      onSubmit={() => invite.mutate({ body: { email, role } })}
    >
      <TextInput
        label={teamText.email}
        type="email"
        required
        autoFocus
        autoComplete="off"
        value={email}
        onChange={setEmail}
        problem={at('email')}
      />
      <SelectInput
        label={teamText.role}
        value={role}
        onChange={setRole}
        options={options}
        hint={ROLE_MAY[role]}
        problem={at('role')}
      />
    </FormDialog>
  )
}
