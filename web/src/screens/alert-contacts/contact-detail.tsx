import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import type { ItemOf } from '../../api/contract.ts'
import { contactSentences, contactDetailText as TEXT } from '../../messages/connections/contacts.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { ManagedById } from '../../shared/managed-by.tsx'
import { VIEWER_ZONE } from '../../time/viewer.ts'
import { zoneLabel } from '../../time/zone-names.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import { StateLabel } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { type ContactView, delayLabel, reminderLabel, STATE_LABELS } from './contact.ts'
import { Monitors } from './contact-monitors.tsx'
import { MoveFromOpsgenie } from './opsgenie.tsx'
import { type Rules, RulesFields } from './rules-fields.tsx'
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
      <section aria-label={TEXT.recent}>
        <h3 className="sub">{TEXT.recent}</h3>
        <Loaded query={messages} loading={<SentWait />}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="hint">{of.confirmed ? TEXT.nothing : TEXT.unconfirmed}</p>
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
      <section aria-label={TEXT.rules}>
        <h3 className="sub">{TEXT.rules}</h3>
        <ManagedById id={of.id} />
        {may ? <EditableRules of={of} /> : <RulesList of={of} />}
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
    SUCCEEDED: { state: 'UP', word: TEXT.delivered },
    FAILED: { state: 'DOWN', word: TEXT.failed },
    PENDING: { state: 'PENDING', word: of.attempts === 0 ? TEXT.pending : TEXT.retrying },
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

/** The rules, changed in place and saved together. */
function EditableRules({ of }: { of: ContactView }) {
  const [changed, setChanged] = useState<Partial<Rules>>({})
  const save = useWrite('PATCH /alert-contacts/{contactId}', {
    inForm: true,
    onDone: () => toast(TEXT.rulesSaved),
  })
  const discard = () => {
    setChanged({})
    save.reset()
  }
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (save.isPending || !differs(changed, of)) return
        save.mutate({ params: { contactId: of.id }, body: changed })
      }}
    >
      <FormProblems error={save.error} fields={contactSentences} />
      <RulesFields
        values={{ ...of, ...changed }}
        onChange={(change) => setChanged((before) => ({ ...before, ...change }))}
        at={fieldsOf(save.error, contactSentences)}
        zone={VIEWER_ZONE}
      />
      {differs(changed, of) && (
        <div className="row">
          <Button type="submit" size="sm" kind="primary" busy={save.isPending}>
            {TEXT.saveRules}
          </Button>
          <Button size="sm" kind="ghost" onClick={discard}>
            {TEXT.discard}
          </Button>
        </div>
      )}
    </form>
  )
}

const RULES = ['enabled', 'states', 'delayMinutes', 'reminderMinutes', 'quietHours'] as const

/** By value: after a save, the loaded contact has the same rules in other objects. */
const differs = (changed: Partial<Rules>, of: Rules): boolean =>
  RULES.some(
    (name) => name in changed && JSON.stringify(changed[name]) !== JSON.stringify(of[name]),
  )

function RulesList({ of }: { of: ContactView }) {
  const quiet = of.quietHours
  return (
    <dl className="facts">
      <div>
        <dt>{TEXT.alertsFor}</dt>
        <dd>{of.states.map((state) => STATE_LABELS[state]).join(', ')}</dd>
      </div>
      <div>
        <dt>{TEXT.firstAlert}</dt>
        <dd>{delayLabel(of.delayMinutes)}</dd>
      </div>
      <div>
        <dt>{TEXT.reminder}</dt>
        <dd>{of.reminderMinutes === null ? TEXT.none : reminderLabel(of.reminderMinutes)}</dd>
      </div>
      <div>
        <dt>{TEXT.quietHours}</dt>
        <dd>
          {quiet === null ? TEXT.none : `${quiet.from} – ${quiet.to}, ${zoneLabel(quiet.timezone)}`}
        </dd>
      </div>
    </dl>
  )
}

function Actions({ of }: { of: ContactView }) {
  const [asking, setAsking] = useState<'monitors' | 'remove'>()
  const remove = useWrite('DELETE /alert-contacts/{contactId}', {
    onDone: () => toast(TEXT.removed({ name: of.name })),
  })
  return (
    <div className="row wrap foot-row">
      <ButtonLink size="sm" to={PATHS.editContact} params={{ contactId: of.id }}>
        <Pencil className="icon" aria-hidden="true" />
        {TEXT.edit}
      </ButtonLink>
      <Button size="sm" onClick={() => setAsking('monitors')}>
        {TEXT.choose}
      </Button>
      <MoveFromOpsgenie of={of} />
      <Button size="sm" kind="danger" onClick={() => setAsking('remove')}>
        <Trash2 className="icon" aria-hidden="true" />
        {TEXT.remove}
      </Button>
      {asking === 'monitors' && <Monitors of={of} onClose={() => setAsking(undefined)} />}
      <Confirm
        open={asking === 'remove'}
        onClose={() => setAsking(undefined)}
        title={TEXT.removeTitle({ name: of.name })}
        about={TEXT.removeAbout({ monitors: of.monitors })}
        action={TEXT.removeAction}
        busy={remove.isPending}
        run={() => remove.mutate({ params: { contactId: of.id } })}
      />
    </div>
  )
}
