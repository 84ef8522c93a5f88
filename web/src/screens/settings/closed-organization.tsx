// Instead of the dashboard, while an organization is closed to this member: it is being deleted, or requires a second
// factor that they do not have.
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { meQuery } from '../../api/queries.ts'
import { closedText as TEXT } from '../../messages/settings.ts'
import { useMay, useShell } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useWrite } from '../../session/use-api.ts'
import { AuthPage } from '../../shell/auth-page.tsx'
import { useSignOut } from '../../shell/menus.tsx'
import { formatMoment, zoneName } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import { SecondFactor } from './second-factor.tsx'
import './settings.css'

/** `onPass`: the person has set up their second factor and seen their recovery codes. */
export function ClosedOrganization({ onPass }: { onPass: () => void }) {
  // It replaces the screen that the person was on, and the element that had the focus.
  useEffect(() => {
    if (document.activeElement === document.body) document.querySelector('main')?.focus()
  }, [])
  const { eraseAt, needsSecondFactor } = useShell().organization
  if (eraseAt !== null && !needsSecondFactor) return <Deleting at={eraseAt} />
  return <FactorNeeded onPass={onPass} />
}

function FactorNeeded({ onPass }: { onPass: () => void }) {
  const { organization, me } = useShell()
  const { name } = organization
  return (
    <AuthPage title={TEXT.factor.title} about={TEXT.factor.about({ name })}>
      <div className="stack closed-factor">
        <SecondFactor />
        {me.person.secondFactor && (
          <Button kind="primary" size="lg" block onClick={onPass}>
            {TEXT.factor.next({ name })}
          </Button>
        )}
      </div>
      <WaysOut />
    </AuthPage>
  )
}

function Deleting({ at }: { at: string }) {
  const { name } = useShell().organization
  const isOwner = useMay('OWNER')
  const now = useNow(60_000)
  const queries = useQueryClient()
  const undo = useWrite('DELETE /deletion', {
    onDone: () => {
      void queries.invalidateQueries(meQuery)
      toast(TEXT.deletion.undone)
    },
  })
  const when = `${formatMoment(at, now)} ${zoneName(at)}`
  return (
    <AuthPage title={TEXT.deletion.title({ name })} about={TEXT.deletion.about({ when })}>
      <div className="stack">
        <p>{TEXT.deletion.off}</p>
        {isOwner ? (
          <Button
            kind="primary"
            size="lg"
            block
            busy={undo.isPending}
            onClick={() => undo.mutate({})}
          >
            {TEXT.deletion.undo}
          </Button>
        ) : (
          <p>{TEXT.deletion.askOwner}</p>
        )}
      </div>
      <WaysOut />
    </AuthPage>
  )
}

/** Other organizations, leaving this one, and signing out. */
function WaysOut() {
  const { organization, me, change } = useShell()
  const [isLeaving, setLeaving] = useState(false)
  const signOut = useSignOut()
  const others = me.organizations.filter(({ id }) => id !== organization.id)
  return (
    <div className="stack">
      {others.length > 0 && (
        <Others>
          {others.map(({ id, name }) => (
            <Button key={id} block onClick={() => change(id)}>
              <bdi className="truncate">{name}</bdi>
            </Button>
          ))}
        </Others>
      )}
      <Button kind="ghost" block onClick={() => setLeaving(true)}>
        {TEXT.leave}
      </Button>
      <Button kind="ghost" block onClick={() => void signOut()}>
        {TEXT.signOut}
      </Button>
      <Leave open={isLeaving} onClose={() => setLeaving(false)} />
    </div>
  )
}

function Others({ children }: { children: ReactNode }) {
  return (
    <section className="stack closed-others" aria-labelledby="others">
      <h2 id="others">{TEXT.others}</h2>
      {children}
    </section>
  )
}

function Leave({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { name } = useShell().organization
  // Reload: the cached data belongs to an organization the person can no longer see.
  const leave = useWrite('POST /leave', { onDone: () => window.location.assign(PATHS.home) })
  const { title, about, action, keep } = TEXT.leaving
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={title({ name })}
      about={about}
      action={action}
      keep={keep}
      busy={leave.isPending}
      run={() => leave.mutate({})}
    />
  )
}
