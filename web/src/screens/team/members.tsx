import { Ellipsis, LogOut, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { allows, ROLES, type Role } from '../../../../src/domain/people/role.ts'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import type { ItemOf } from '../../api/contract.ts'
import { factorNoteText as TEXT } from '../../messages/settings.ts'
import { teamText } from '../../messages/team.ts'
import { useMay, useShell } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { formatDay } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { initialsOf } from '../../ui/initials.ts'
import { Loaded, SkeletonRows } from '../../ui/loading.tsx'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import { Menu, MenuItem } from '../../ui/overlay/menu.tsx'
import { roleLabel } from '../../ui/role-label.ts'
import { StateLabel } from '../../ui/state.tsx'
import { agoLabel } from './ago-label.ts'
import { RolesHelp } from './roles-help.tsx'
import '../../ui/avatar.css'
import './team.css'

type Member = ItemOf<'GET /members'>

const WIDTHS = ['50%', '60%', '40%', '']
const ADMIN_WIDTHS = ['50%', '60%', '40%', '40%', '40%', '']

export function Members({ members }: { members: ReturnType<typeof useRead<'GET /members'>> }) {
  const isAdmin = useMay('ADMIN')
  const [leaving, setLeaving] = useState<Member>()
  return (
    <section className="card" aria-labelledby="members">
      <header>
        <h2 id="members">
          {teamText.members} <span className="count">{members.data?.data.length}</span>
        </h2>
        <RolesHelp />
      </header>
      <table className="table people">
        <thead>
          <tr>
            <th>{teamText.name}</th>
            <th>{teamText.role}</th>
            {isAdmin && <th>{teamText.twoFactor}</th>}
            {isAdmin && <th>{teamText.lastSeen}</th>}
            <th>{teamText.joined}</th>
            <th>
              <span className="sr">{teamText.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <Loaded
            query={members}
            loading={<SkeletonRows rows={4} widths={isAdmin ? ADMIN_WIDTHS : WIDTHS} />}
          >
            {({ data }) =>
              data.map((member) => <MemberRow key={member.id} of={member} remove={setLeaving} />)
            }
          </Loaded>
        </tbody>
      </table>
      <footer>
        <span>{teamText.ownerNeeded}</span>
        <WithoutFactor members={members.data?.data ?? []} />
      </footer>
      <RemoveMember of={leaving} onClose={() => setLeaving(undefined)} />
    </section>
  )
}

/** Nothing for readers who are not admins: they do not know. */
function WithoutFactor({ members }: { members: readonly Member[] }) {
  const organization = useRead('GET /', {})
  const count = members.filter(({ secondFactor }) => secondFactor === false).length
  if (count === 0) return null
  if (organization.data?.requiresSecondFactor)
    return <span>{TEXT.shutOut({ without: count })}</span>
  return <span>{TEXT.optional({ without: count, all: members.length })}</span>
}

function MemberRow({ of, remove }: { of: Member; remove: (member: Member) => void }) {
  const { me, organization } = useShell()
  const now = useNow(60_000)
  const isMe = of.id === me.person.id
  const isAdmin = allows(organization.role, 'ADMIN')
  const may = isAdmin && allows(organization.role, of.role)
  return (
    <tr>
      <td className="name">
        <div className="row ch">
          <span className="avatar round big" aria-hidden="true">
            {initialsOf(of.name)}
          </span>
          <div className="two grow">
            <span className="row tight">
              <bdi className="truncate strong-2" title={of.name}>
                {of.name}
              </bdi>
              {isMe && <span className="badge">{teamText.you}</span>}
            </span>
            <span className="truncate" title={of.email}>
              {of.email}
            </span>
          </div>
        </div>
      </td>
      <td className="ro">{may && !isMe ? <RoleChoice of={of} /> : roleLabel(of.role)}</td>
      {isAdmin && (
        <>
          <td className="tw">
            {of.secondFactor ? (
              <StateLabel state="UP" word={teamText.on} />
            ) : (
              <StateLabel state="DEGRADED" word={teamText.off} />
            )}
          </td>
          <td className="ls num">
            {of.lastSeenAt === null ? 'Not signed in' : agoLabel(of.lastSeenAt, now)}
          </td>
        </>
      )}
      <td className="se num">{formatDay(of.since, now)}</td>
      <td className="end ac">
        {(isMe || may) && (
          <Menu
            trigger={
              <Button kind="ghost" square size="sm" aria-label={`More for ${of.name}`}>
                <Ellipsis className="icon" aria-hidden="true" />
              </Button>
            }
          >
            <MenuItem danger icon={isMe ? LogOut : UserMinus} onSelect={() => remove(of)}>
              {isMe ? 'Leave…' : 'Remove…'}
            </MenuItem>
          </Menu>
        )}
      </td>
    </tr>
  )
}

function RoleChoice({ of }: { of: Member }) {
  const { organization } = useShell()
  const change = useWrite('PATCH /members/{userId}', {
    onDone: ({ role }) => toast(`${of.name} is now ${roleLabel(role).toLowerCase()}`),
  })
  const options = ROLES.filter((role) => allows(organization.role, role))
  return (
    <select
      className="select role"
      aria-label={`Role of ${of.name}`}
      value={change.isPending ? change.variables.body.role : of.role}
      onChange={(event) =>
        // Safe because every option is a role.
        change.mutate({
          params: { userId: of.id },
          body: { role: event.currentTarget.value as Role },
        })
      }
    >
      {options.map((role) => (
        <option key={role} value={role}>
          {roleLabel(role)}
        </option>
      ))}
    </select>
  )
}

/** Removes a member, or lets the person leave. */
function RemoveMember({ of, onClose }: { of: Member | undefined; onClose: () => void }) {
  const { me, organization } = useShell()
  const isMe = of?.id === me.person.id
  const remove = useWrite('DELETE /members/{userId}', {
    onDone: () => {
      toast(`${of?.name} removed`)
      onClose()
    },
  })
  // Reload: the cached data belongs to an organization the person can no longer see.
  const leave = useWrite('POST /leave', { onDone: () => window.location.assign(PATHS.home) })
  const run = () => {
    if (of === undefined) return
    if (isMe) leave.mutate({})
    else remove.mutate({ params: { userId: of.id } })
  }
  return (
    <Confirm
      open={of !== undefined}
      onClose={onClose}
      title={isMe ? `Leave ${organization.name}?` : `Remove ${of?.name ?? ''}?`}
      about={
        isMe
          ? 'You lose access immediately. To come back, you need a new invitation.'
          : 'They lose access immediately. API keys they created keep working.'
      }
      action={isMe ? 'Leave' : 'Remove member'}
      keep={isMe ? 'Stay' : 'Cancel'}
      busy={remove.isPending || leave.isPending}
      run={run}
    />
  )
}
