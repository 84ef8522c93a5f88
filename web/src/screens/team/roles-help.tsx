import { useState } from 'react'
import { ROLES, type Role } from '../../../../src/domain/people/role.ts'
import { teamText } from '../../messages/team.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { roleLabel } from '../../ui/role-label.ts'
import './team.css'

/** What each role can do in addition to the previous one. */
export const ROLE_MAY: Record<Role, string> = {
  READ_ONLY: 'Can view everything except the audit log.',
  MEMBER:
    'Changes monitors, status pages, maintenance windows and webhooks, and acknowledges incidents.',
  ADMIN: 'Invites and removes people, creates API keys and alert contacts, reads the audit log.',
  OWNER: 'Appoints owners, requires two-factor authentication, deletes the organization.',
}

export function RolesHelp() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="link small linklike" onClick={() => setOpen(true)}>
        {teamText.roles}
      </button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={teamText.roles}
        about={teamText.rolesAbout}
      >
        <dl className="roles">
          {ROLES.map((role) => (
            <div key={role}>
              <dt>{roleLabel(role)}</dt>
              <dd>{ROLE_MAY[role]}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  )
}
