import { useState } from 'react'
import { ROLES, type Role } from '../../../../src/domain/role.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { roleWord } from '../../ui/role-word.ts'

const MAY: Record<Role, string> = {
  READ_ONLY: 'Sees everything but the audit log, changes nothing.',
  MEMBER: 'Also changes monitors, status pages, windows and webhooks, and takes incidents.',
  ADMIN: 'Also invites and removes people, makes API keys and alert contacts, reads the audit log.',
  OWNER: 'Also appoints other owners.',
}

export function RolesHelp() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="link small linklike" onClick={() => setOpen(true)}>
        What each role may do
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="What each role may do">
        <dl className="roles">
          {ROLES.map((role) => (
            <div key={role}>
              <dt>{roleWord(role)}</dt>
              <dd>{MAY[role]}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  )
}
