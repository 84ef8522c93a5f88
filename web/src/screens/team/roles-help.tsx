import { useState } from 'react'
import { ROLES, type Role } from '../../../../src/domain/people/role.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { roleLabel } from '../../ui/role-label.ts'
import './team.css'

/** What each role can do in addition to the previous one. */
export const ROLE_MAY: Record<Role, string> = {
  READ_ONLY: 'Sees everything but the audit log, changes nothing.',
  MEMBER: 'Changes monitors, status pages, windows and webhooks, and takes incidents.',
  ADMIN: 'Invites and removes people, makes API keys and alert contacts, reads the audit log.',
  OWNER: 'Appoints other owners.',
}

export function RolesHelp() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="link small linklike" onClick={() => setOpen(true)}>
        What each role may do
      </button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="What each role may do"
        about="Each may also do what those above it may."
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
