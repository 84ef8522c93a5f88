import { Mail, X } from 'lucide-react'
import { useState } from 'react'
import type { ItemOf } from '../../api/contract.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { formatAgo, formatSpan } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/loading.tsx'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import { roleLabel } from '../../ui/role-label.ts'
import { StateLabel } from '../../ui/state.tsx'
import '../../ui/avatar.css'
import './team.css'

type Invitation = ItemOf<'GET /invitations'>

/** Invitations that have not been accepted yet. */
export function Invitations() {
  const invitations = useRead('GET /invitations', {})
  const [ending, setEnding] = useState<Invitation>()
  const withdraw = useWrite('DELETE /invitations/{invitationId}', {
    onDone: () => {
      toast('The invitation is withdrawn')
      setEnding(undefined)
    },
  })
  if (invitations.error)
    return <Failed error={invitations.error} retry={() => void invitations.refetch()} />
  const open = invitations.data?.data ?? []
  if (open.length === 0) return null
  return (
    <section className="card" aria-labelledby="invited">
      <header>
        <h2 id="invited">Invited</h2>
      </header>
      <table className="table people">
        <thead>
          <tr>
            <th>Address</th>
            <th>Role</th>
            <th>State</th>
            <th>
              <span className="sr">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {open.map((invitation) => (
            <InvitationRow key={invitation.id} of={invitation} withdraw={setEnding} />
          ))}
        </tbody>
      </table>
      <Confirm
        open={ending !== undefined}
        onClose={() => setEnding(undefined)}
        title="Withdraw the invitation?"
        about={`The link that ${ending?.email ?? ''} has stops working.`}
        action="Withdraw"
        busy={withdraw.isPending}
        run={() => ending && withdraw.mutate({ params: { invitationId: ending.id } })}
      />
    </section>
  )
}

type RowProps = { of: Invitation; withdraw: (invitation: Invitation) => void }

function InvitationRow({ of, withdraw }: RowProps) {
  const now = useNow(60_000)
  const left = Date.parse(of.expiresAt) - now
  return (
    <tr>
      <td className="name">
        <div className="row ch">
          <span className="avatar round big pend" aria-hidden="true">
            <Mail className="icon" />
          </span>
          <div className="two grow">
            <span className="truncate strong-2" title={of.email}>
              {of.email}
            </span>
            <span className="truncate" title={of.invitedBy}>
              by <bdi>{of.invitedBy}</bdi> {formatAgo(of.createdAt, now)}
            </span>
          </div>
        </div>
      </td>
      <td className="ro">{roleLabel(of.role)}</td>
      <td className="tw">
        <StateLabel state="PENDING" word="Not joined">
          {left > 0 ? `open for ${formatSpan(left)}` : 'expired'}
        </StateLabel>
      </td>
      <td className="end ac">
        <Button
          kind="ghost"
          square
          size="sm"
          aria-label={`Withdraw the invitation of ${of.email}`}
          title="Withdraw"
          onClick={() => withdraw(of)}
        >
          <X className="icon" aria-hidden="true" />
        </Button>
      </td>
    </tr>
  )
}
