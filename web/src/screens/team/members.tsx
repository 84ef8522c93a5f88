import { Ellipsis, LogOut, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { allows, ROLES, type Role } from '../../../../src/domain/people/role.ts'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import type { ItemOf } from '../../api/contract.ts'
import { useShell } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { type useRead, useWrite } from '../../session/use-api.ts'
import { formatDay } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { initialsOf } from '../../ui/initials.ts'
import { Loaded, SkeletonRows } from '../../ui/loading.tsx'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import { Menu, MenuItem } from '../../ui/overlay/menu.tsx'
import { roleLabel } from '../../ui/role-label.ts'
import { RolesHelp } from './roles-help.tsx'
import '../../ui/avatar.css'
import './team.css'

type Member = ItemOf<'GET /members'>

export function Members({ members }: { members: ReturnType<typeof useRead<'GET /members'>> }) {
  const [leaving, setLeaving] = useState<Member>()
  return (
    <section className="card" aria-labelledby="members">
      <header>
        <h2 id="members">
          Members <span className="count">{members.data?.data.length}</span>
        </h2>
        <RolesHelp />
      </header>
      <table className="table people">
        <thead>
          <tr>
            <th>Name</th>
            <th>Role</th>
            <th>Since</th>
            <th>
              <span className="sr">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <Loaded
            query={members}
            loading={<SkeletonRows rows={4} widths={['50%', '60%', '40%', '']} />}
          >
            {({ data }) =>
              data.map((member) => <MemberRow key={member.id} of={member} remove={setLeaving} />)
            }
          </Loaded>
        </tbody>
      </table>
      <footer>
        <span>An organization keeps at least one owner.</span>
      </footer>
      <RemoveMember of={leaving} onClose={() => setLeaving(undefined)} />
    </section>
  )
}

function MemberRow({ of, remove }: { of: Member; remove: (member: Member) => void }) {
  const { me, organization } = useShell()
  const now = useNow(60_000)
  const isMe = of.id === me.person.id
  const may = allows(organization.role, 'ADMIN') && allows(organization.role, of.role)
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
              {isMe && <span className="badge">You</span>}
            </span>
            <span className="truncate" title={of.email}>
              {of.email}
            </span>
          </div>
        </div>
      </td>
      <td className="ro">{may && !isMe ? <RoleChoice of={of} /> : roleLabel(of.role)}</td>
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
    onDone: ({ role }) => toast(`${of.name} is ${roleLabel(role).toLowerCase()} now`),
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
      toast(`${of?.name} is removed`)
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
          ? 'You lose sight of everything here at once. Somebody has to invite you again.'
          : `They lose sight of ${organization.name} at once. API keys they made go on working; what they did stays in the audit log.`
      }
      action={isMe ? 'Leave' : 'Remove member'}
      keep={isMe ? 'Stay' : 'Keep them'}
      busy={remove.isPending || leave.isPending}
      run={run}
    />
  )
}
