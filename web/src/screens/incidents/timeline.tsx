// What happened, oldest first: failed, opened, alerts sent, acknowledged, noted, recovered.
import {
  Bell,
  Check,
  Mail,
  MessageSquareText,
  RotateCw,
  TriangleAlert,
  Webhook,
} from 'lucide-react'
import { type FormEvent, type ReactNode, type RefObject, useState } from 'react'
import { useMay } from '../../session/organization.ts'
import { useWrite } from '../../session/use-api.ts'
import { formatMs, plural } from '../../time/figures.ts'
import { formatDay, formatDuration, zoneName } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { Field, fieldsOf } from '../../ui/field.tsx'
import { Mark, type State } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { CAUSE_LABELS } from './cause-labels.ts'
import type { IncidentScreen } from './screen.ts'
import './timeline.css'

type Line = IncidentScreen['timeline'][number]
type Of<T extends Line['type']> = Extract<Line, { type: T }>
type TimelineProps = { incident: IncidentScreen; note: RefObject<HTMLTextAreaElement | null> }

const MAX_NOTE = 1000

export function Timeline({ incident, note }: TimelineProps) {
  const may = useMay('MEMBER')
  const { timeline, startedAt } = incident
  const now = useNow(60_000)
  const firstDay = formatDay(startedAt, now)
  return (
    <section className="card" aria-labelledby="timeline">
      <header>
        <h2 id="timeline">Timeline</h2>
        <span className="hint">
          {firstDay}, {zoneName(startedAt)}
        </span>
      </header>
      <div className="card-body">
        <ol className="timeline">
          {timeline.map((line, index) => {
            const day = formatDay(line.at, now)
            const before = timeline[index - 1]?.at ?? startedAt
            return (
              <TimelineLine
                key={line.id}
                line={line}
                day={day === formatDay(before, now) ? undefined : day}
              />
            )
          })}
        </ol>
        {may && <NoteForm incidentId={incident.id} field={note} />}
      </div>
    </section>
  )
}

function TimelineLine({ line, day }: { line: Line; day: string | undefined }) {
  const { node, content } = displayOf(line)
  return (
    <li>
      <span className="at">
        {day !== undefined && <span className="day">{day}</span>}
        <Time at={line.at} as="seconds" />
      </span>
      <span className="node">{node}</span>
      <div>{content}</div>
    </li>
  )
}

type LineDisplay = { node: ReactNode; content: ReactNode }

function displayOf(line: Line): LineDisplay {
  switch (line.type) {
    case 'FAILED':
    case 'CONFIRMED':
      return { node: <StateDot state="DOWN" />, content: <Attempted line={line} /> }
    case 'ALERT':
      return displayOfAlert(line)
    case 'WEBHOOK':
      return displayOfWebhook(line)
    case 'NOTE':
      return {
        node: <MessageSquareText className="icon" aria-hidden="true" />,
        content: (
          <>
            <p>
              <b className="strong">
                <bdi>{line.by.name}</bdi>
              </b>{' '}
              wrote
            </p>
            <p className="muted said">{line.text}</p>
          </>
        ),
      }
    default:
      return displayOfChange(line)
  }
}

const HAPPENED = {
  OPENED: { title: 'Incident opened', node: <TriangleAlert className="icon" aria-hidden="true" /> },
  STILL_FAILING: { title: 'Still failing', node: <RotateCw className="icon" aria-hidden="true" /> },
  CAUSE_CHANGED: { title: 'Cause changed', node: <StateDot state="DOWN" /> },
  ACKNOWLEDGED: { title: 'Taken', node: <Check className="icon" aria-hidden="true" /> },
  RESOLVED: { title: 'Resolved', node: <StateDot state="UP" /> },
}

function displayOfChange({ type, message }: Of<keyof typeof HAPPENED>): LineDisplay {
  const { title, node } = HAPPENED[type]
  return {
    node,
    content: (
      <>
        <p>
          <b className="strong">{title}</b>
        </p>
        <p className="muted">{message}</p>
      </>
    ),
  }
}

function Attempted({ line }: { line: Of<'FAILED' | 'CONFIRMED'> }) {
  const { type, region, httpStatus, causeCode, responseMs } = line
  const answer = httpStatus !== null ? `HTTP ${httpStatus}` : causeCode && CAUSE_LABELS[causeCode]
  return (
    <p>
      <b className="strong">
        {type === 'FAILED' ? 'Failed' : 'Confirmed'} from {region}
      </b>
      {answer && `: ${answer}`}
      {responseMs !== null && ` in ${formatMs(responseMs)}`}
    </p>
  )
}

function displayOfAlert({
  contact,
  status,
  error,
  tookMs,
  attempts,
  kind,
}: Of<'ALERT'>): LineDisplay {
  const name = <bdi>{contact.name}</bdi>
  if (status === 'FAILED')
    return {
      node: <StateDot state="DEGRADED" />,
      content: (
        <>
          <p>
            <b className="strong">Alert to {name} did not arrive</b>{' '}
            <span className="faint">after {plural(attempts, 'attempt')}</span>
          </p>
          {error !== null && <p className="muted">{error}</p>}
        </>
      ),
    }
  const Icon = contact.channel === 'EMAIL' ? Mail : Bell
  return {
    node: <Icon className="icon" aria-hidden="true" />,
    content: (
      <p>
        {kind === 'REMINDER' ? 'Reminder' : 'Alert'} to {name}{' '}
        <span className="faint">{status === 'PENDING' ? 'is being sent' : arrived(tookMs)}</span>
      </p>
    ),
  }
}

const arrived = (tookMs: number | null): string =>
  tookMs === null
    ? 'delivered'
    : `delivered in ${tookMs < 1000 ? formatMs(tookMs) : formatDuration(tookMs)}`

function displayOfWebhook({
  eventType,
  url,
  status,
  responseStatus,
  error,
}: Of<'WEBHOOK'>): LineDisplay {
  const isFailed = status === 'FAILED'
  const answer = responseStatus === null ? 'is being sent' : `answered ${responseStatus}`
  return {
    node: isFailed ? (
      <StateDot state="DEGRADED" />
    ) : (
      <Webhook className="icon" aria-hidden="true" />
    ),
    content: (
      <>
        <p>
          <span className="mono">{eventType}</span> to {URL.parse(url)?.host ?? url}{' '}
          <span className="faint">{isFailed ? 'did not arrive' : answer}</span>
        </p>
        {isFailed && error !== null && <p className="muted">{error}</p>}
      </>
    ),
  }
}

function StateDot({ state }: { state: State & ('UP' | 'DOWN' | 'DEGRADED') }) {
  return (
    <span className={`spot is-${state.toLowerCase()}`}>
      <Mark state={state} />
    </span>
  )
}

type NoteFormProps = { incidentId: string; field: RefObject<HTMLTextAreaElement | null> }

/** Enter adds the note; Shift+Enter starts a new line. */
function NoteForm({ incidentId, field }: NoteFormProps) {
  const [text, setText] = useState('')
  const add = useWrite('POST /incidents/{incidentId}/notes', {
    inForm: true,
    onDone: () => setText(''),
  })
  const at = fieldsOf(add.error)
  const problem = at('text') ?? (add.error === null ? undefined : add.error.message)
  const send = () => {
    if (text.trim() !== '' && !add.isPending)
      add.mutate({ params: { incidentId }, body: { text: text.trim() } })
  }
  return (
    <form
      className="note-form"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        send()
      }}
    >
      <Field label={<span className="sr">Note</span>} problem={problem} className="grow">
        {(control) => (
          <textarea
            {...control}
            ref={field}
            className="textarea"
            rows={1}
            placeholder="Add a note for the team"
            maxLength={MAX_NOTE}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
              event.preventDefault()
              send()
            }}
          />
        )}
      </Field>
      <Button
        type="submit"
        busy={add.isPending}
        whyNot={text.trim() === '' ? 'Write something first.' : undefined}
      >
        Add
      </Button>
    </form>
  )
}
