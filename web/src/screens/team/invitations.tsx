import { Mail, X } from 'lucide-react'
import { useState } from 'react'
import type { ItemOf, ResponseOf } from '../../api/contract.ts'
import { teamText } from '../../messages/team.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { formatSpan } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/loading.tsx'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import { roleLabel } from '../../ui/role-label.ts'
import { StateLabel } from '../../ui/state.tsx'
import { agoLabel } from './ago-label.ts'
import '../../ui/avatar.css'
import './team.css'

type Invitation = ItemOf<'GET /invitations'>
/** Called if the link has to be passed on by hand. */
type OnLink = (invited: ResponseOf<'POST /invitations'>) => void

/** Invitations that have not been accepted yet. */
export function Invitations({ onLink }: { onLink: OnLink }) {
  const invitations = useRead('GET /invitations', {})
  const [ending, setEnding] = useState<Invitation>()
  const withdraw = useWrite('DELETE /invitations/{invitationId}', {
    onDone: () => {
      toast('Invitation revoked')
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
        <h2 id="invited">{teamText.invited}</h2>
      </header>
      <table className="table people">
        <thead>
          <tr>
            <th>{teamText.address}</th>
            <th>{teamText.role}</th>
            <th>{teamText.state}</th>
            <th>
              <span className="sr">{teamText.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {open.map((invitation) => (
            <InvitationRow
              key={invitation.id}
              of={invitation}
              withdraw={setEnding}
              onLink={onLink}
            />
          ))}
        </tbody>
      </table>
      <Confirm
        open={ending !== undefined}
        onClose={() => setEnding(undefined)}
        title={teamText.askRevoke}
        about={`The link sent to ${ending?.email ?? ''} stops working.`}
        action={teamText.revokeInvitation}
        busy={withdraw.isPending}
        run={() => ending && withdraw.mutate({ params: { invitationId: ending.id } })}
      />
    </section>
  )
}

type RowProps = {
  of: Invitation
  withdraw: (invitation: Invitation) => void
  onLink: OnLink
}

function InvitationRow({ of, withdraw, onLink }: RowProps) {
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
              {teamText.invitedBy({
                name: <bdi>{of.invitedBy}</bdi>,
                ago: agoLabel(of.createdAt, now),
              })}
            </span>
          </div>
        </div>
      </td>
      <td className="ro">{roleLabel(of.role)}</td>
      <td className="tw">
        {left > 0 ? (
          <StateLabel state="PENDING" word={teamText.pending}>
            {teamText.expiresIn({ duration: formatSpan(left) })}
          </StateLabel>
        ) : (
          <StateLabel state="UNKNOWN" word={teamText.expired} />
        )}
      </td>
      <td className="end ac">
        <div className="row">
          <Resend of={of} onLink={onLink} />
          <Button
            kind="ghost"
            square
            size="sm"
            aria-label={`Revoke the invitation of ${of.email}`}
            title={teamText.revokeInvitation}
            onClick={() => withdraw(of)}
          >
            <X className="icon" aria-hidden="true" />
          </Button>
        </div>
      </td>
    </tr>
  )
}

/** A new link, which replaces the one sent before. */
function Resend({ of, onLink }: { of: Invitation; onLink: OnLink }) {
  const invite = useWrite('POST /invitations', {
    onDone: (invited) => {
      if (invited.mailed) toast(`Invitation sent to ${invited.email}`)
      else onLink(invited)
    },
  })
  return (
    <Button
      size="sm"
      busy={invite.isPending}
      aria-label={`Resend the invitation of ${of.email}`}
      onClick={() => invite.mutate({ body: { email: of.email, role: of.role } })}
    >
      {teamText.resend}
    </Button>
  )
}
