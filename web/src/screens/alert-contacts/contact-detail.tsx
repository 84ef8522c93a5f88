import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import type { ItemOf } from '../../api/contract.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { plural } from '../../time/figures.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import { StateLabel } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { type ContactView, delayLabel, reminderLabel, STATE_LABELS } from './contact.ts'
import { Monitors } from './contact-monitors.tsx'
import '../../ui/facts.css'
import './contact-detail.css'

type Message = ItemOf<'GET /overview/alert-messages'>

const SHOWN = 8
const WATCH_MS = 3_000

/** What was sent, whether it arrived, and the contact's rules. */
export function ContactDetail({ of, may }: { of: ContactView; may: boolean }) {
  const messages = useRead(
    'GET /overview/alert-messages',
    { query: { contactId: of.id, limit: SHOWN } },
    { refetchInterval: WATCH_MS },
  )
  return (
    <div className="split contact-detail">
      <section aria-label="Sent lately">
        <h3 className="sub">Sent lately</h3>
        <Loaded query={messages} loading={<SentWait />}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="hint">
                {of.confirmed
                  ? 'Nothing was sent yet. A test shows whether it arrives.'
                  : `No alerts are sent before the owner of this address opens the link in the confirmation email.`}
              </p>
            ) : (
              <ol className="sent">
                {data.map((message) => (
                  <Sent key={message.id} of={message} />
                ))}
              </ol>
            )
          }
        </Loaded>
      </section>
      <section aria-label="Rules">
        <h3 className="sub">Rules</h3>
        <Rules of={of} />
        {may && <Actions of={of} />}
      </section>
    </div>
  )
}

function SentWait() {
  return (
    <div className="sent-wait" aria-hidden="true">
      <Skeleton width="70%" />
    </div>
  )
}

function Sent({ of }: { of: Message }) {
  const look = {
    SUCCEEDED: { state: 'UP', word: 'Arrived' },
    FAILED: { state: 'DOWN', word: 'Not delivered' },
    PENDING: { state: 'PENDING', word: of.attempts === 0 ? 'Waiting' : 'Trying again' },
  } as const
  const { state, word } = look[of.status]
  return (
    <li>
      <span className="num">
        <Time at={of.createdAt} />
      </span>
      <span className="what">
        <span className="wrap-any">{of.title}</span>
        {of.error !== null && <span className="why wrap-any">{of.error}</span>}
      </span>
      <StateLabel state={state} word={word} />
    </li>
  )
}

function Rules({ of }: { of: ContactView }) {
  const quiet = of.quietHours
  return (
    <dl className="facts">
      <div>
        <dt>Tells about</dt>
        <dd>{of.states.map((state) => STATE_LABELS[state]).join(', ')}</dd>
      </div>
      <div>
        <dt>First alert</dt>
        <dd>{delayLabel(of.delayMinutes)}</dd>
      </div>
      <div>
        <dt>Reminder until taken</dt>
        <dd>{of.reminderMinutes === null ? 'None' : reminderLabel(of.reminderMinutes)}</dd>
      </div>
      <div>
        <dt>Quiet hours</dt>
        <dd>{quiet === null ? 'None' : `${quiet.from} – ${quiet.to}, ${quiet.timezone}`}</dd>
      </div>
    </dl>
  )
}

function Actions({ of }: { of: ContactView }) {
  const [asking, setAsking] = useState<'monitors' | 'remove'>()
  const remove = useWrite('DELETE /alert-contacts/{contactId}', {
    onDone: () => toast(`${of.name} is removed`),
  })
  return (
    <div className="row wrap foot-row">
      <ButtonLink size="sm" to={PATHS.editContact} params={{ contactId: of.id }}>
        <Pencil className="icon" aria-hidden="true" />
        Edit
      </ButtonLink>
      <Button size="sm" onClick={() => setAsking('monitors')}>
        Choose monitors
      </Button>
      <Button size="sm" kind="danger" onClick={() => setAsking('remove')}>
        <Trash2 className="icon" aria-hidden="true" />
        Remove…
      </Button>
      {asking === 'monitors' && <Monitors of={of} onClose={() => setAsking(undefined)} />}
      <Confirm
        open={asking === 'remove'}
        onClose={() => setAsking(undefined)}
        title={`Remove ${of.name}?`}
        about={`It is no longer told of ${plural(of.monitors, 'monitor')}, and its address is forgotten. What was sent stays in the log.`}
        action="Remove contact"
        busy={remove.isPending}
        run={() => remove.mutate({ params: { contactId: of.id } })}
      />
    </div>
  )
}
