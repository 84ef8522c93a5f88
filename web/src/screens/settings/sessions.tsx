import { useQuery } from '@tanstack/react-query'
import { Laptop, Smartphone } from 'lucide-react'
import { callApi } from '../../api/call.ts'
import type { ItemOf } from '../../api/contract.ts'
import { accountText } from '../../messages/account.ts'
import { toast } from '../../session/toast.ts'
import { browserOf } from '../../shared/notifications/browser.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { Time } from '../../ui/time.tsx'
import { SESSIONS_KEY, usePersonal } from './use-personal.ts'
import '../../shared/device-list.css'
import './settings.css'

type Session = ItemOf<'GET /me/sessions'>

export function Sessions() {
  const sessions = useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: () => callApi('GET /me/sessions', {}),
  })
  const end = usePersonal('DELETE /me/sessions/{sessionId}', {
    onDone: () => toast('Signed out'),
  })
  return (
    <section className="card" aria-labelledby="sessions">
      <header>
        <h2 id="sessions">{accountText.yourSessions}</h2>
      </header>
      <Loaded query={sessions} loading={<SessionsWait />}>
        {({ data }) => (
          <ul className="sessions">
            {data.map((session) => (
              <SessionRow
                key={session.id}
                of={session}
                busy={end.isPending && end.variables.params.sessionId === session.id}
                end={() => end.mutate({ params: { sessionId: session.id } })}
              />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

function SessionsWait() {
  return (
    <ul className="sessions" aria-hidden="true">
      <li>
        <Skeleton width="40%" />
      </li>
    </ul>
  )
}

function SessionRow({ of, busy, end }: { of: Session; busy: boolean; end: () => void }) {
  const { name, isPhone } = browserOf(of.agent)
  const Icon = isPhone ? Smartphone : Laptop
  return (
    <li>
      <Icon className="icon" aria-hidden="true" />
      <div className="two grow">
        <span className="row tight">
          <span className="strong-2 truncate" title={of.agent}>
            {name}
          </span>
          {of.current && <span className="badge tone is-up">{accountText.thisDevice}</span>}
        </span>
        <span className="num">
          {of.current
            ? accountText.activeNow({ address: of.address, moment: <Time at={of.createdAt} /> })
            : accountText.lastActive({
                ago: <Time at={of.seenAt} as="ago" />,
                address: of.address,
                moment: <Time at={of.createdAt} />,
              })}
        </span>
      </div>
      {!of.current && (
        <Button
          size="sm"
          busy={busy}
          onClick={end}
          aria-label={accountText.signOutOf({ device: name })}
        >
          {accountText.signOut}
        </Button>
      )}
    </li>
  )
}
