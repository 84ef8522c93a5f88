// What one entry of the timeline shows: a line, or several of a kind that can be opened.
import {
  Bell,
  Check,
  ChevronRight,
  MessageSquareText,
  RotateCw,
  TriangleAlert,
  Webhook,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { CAUSE_LABELS, incidentText } from '../../messages/incidents.ts'
import { causeSentence } from '../../shared/cause-sentence.ts'
import { ChannelIcon } from '../../shared/channel-icon.tsx'
import { formatMs } from '../../time/figures.ts'
import { formatDuration } from '../../time/format.ts'
import { Mark, type State } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import type { TimelineEntry } from './fold-timeline.ts'
import type { IncidentScreen } from './screen.ts'
import './timeline.css'

type Line = IncidentScreen['timeline'][number]
type Of<T extends Line['type']> = Extract<Line, { type: T }>

const text = incidentText.timeline

export function TimelineEntryContent({ entry }: { entry: TimelineEntry<Line> }) {
  const { node, content } = entry.length === 1 ? displayOf(entry[0]) : displayOfGroup(entry)
  return (
    <>
      <span className="node">{node}</span>
      <div>{content}</div>
    </>
  )
}

type LineDisplay = { node: ReactNode; content: ReactNode }

/** The lines of a group have one type. */
function displayOfGroup(lines: TimelineEntry<Line>): LineDisplay {
  const [first] = lines
  const failed = lines.filter((line) => 'status' in line && line.status === 'FAILED').length
  const { title, node } = groupHead(first.type, lines.length, failed)
  return {
    node: failed > 0 ? <StateDot state="DEGRADED" /> : node,
    content: (
      <details className="folded">
        <summary>
          {title}
          <ChevronRight className="icon sm dir" aria-hidden="true" />
        </summary>
        <ul>
          {lines.map((line) => (
            <li key={line.id}>
              <Time at={line.at} as="seconds" />
              <div>{displayOf(line).content}</div>
            </li>
          ))}
        </ul>
      </details>
    ),
  }
}

function alertsTitle(sent: number, failed: number): string {
  if (sent === 0) return text.alertsFailed({ failed })
  return failed === 0 ? text.alertsSent({ sent }) : text.alertsSentAndFailed({ sent, failed })
}

function groupHead(type: Line['type'], count: number, failed: number) {
  if (type === 'ALERT')
    return {
      title: alertsTitle(count - failed, failed),
      node: <Bell className="icon" aria-hidden="true" />,
    }
  if (type === 'WEBHOOK')
    return {
      title:
        failed === 0
          ? text.webhooksSent({ all: count })
          : text.webhooksFailed({ all: count, failed }),
      node: <Webhook className="icon" aria-hidden="true" />,
    }
  return { title: text.stillFailingTimes({ count }), node: HAPPENED.STILL_FAILING.node }
}

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
              {text.wrote}
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
  OPENED: { title: text.opened, node: <TriangleAlert className="icon" aria-hidden="true" /> },
  STILL_FAILING: {
    title: text.stillFailing,
    node: <RotateCw className="icon" aria-hidden="true" />,
  },
  // Its message says it all.
  ACKNOWLEDGED: { title: undefined, node: <Check className="icon" aria-hidden="true" /> },
  CAUSE_CHANGED: { title: text.causeChanged, node: <StateDot state="DOWN" /> },
  RESOLVED: { title: text.resolved, node: <StateDot state="UP" /> },
}

function displayOfChange({ type, message }: Of<keyof typeof HAPPENED>): LineDisplay {
  const { title, node } = HAPPENED[type]
  return {
    node,
    content: (
      <>
        <p>
          <b className="strong">{title ?? message}</b>
        </p>
        {title !== undefined && <p className="muted">{causeSentence(message)}</p>}
      </>
    ),
  }
}

function Attempted({ line }: { line: Of<'FAILED' | 'CONFIRMED'> }) {
  const { type, region, httpStatus, causeCode, responseMs } = line
  const status = httpStatus === null ? null : incidentText.evidence.http({ status: httpStatus })
  const found = status ?? (causeCode && CAUSE_LABELS[causeCode])
  const what = type === 'FAILED' ? text.failedFrom({ region }) : text.confirmedFrom({ region })
  const parts = { what, b: (inside: ReactNode) => <b className="strong">{inside}</b> }
  if (responseMs === null)
    return <p>{found ? text.probeFound({ ...parts, found }) : parts.b(what)}</p>
  const timed = { ...parts, duration: formatMs(responseMs) }
  return <p>{found ? text.probeFoundIn({ ...timed, found }) : text.probeTook(timed)}</p>
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
            <b className="strong">
              {text.alertTo} {name} {text.failed}
            </b>{' '}
            <span className="faint">{text.afterAttempts({ count: attempts })}</span>
          </p>
          {error !== null && <p className="muted">{error}</p>}
        </>
      ),
    }
  return {
    node: <ChannelIcon of={contact.channel} />,
    content: (
      <p>
        {kind === 'REMINDER' ? text.reminderTo : text.alertTo} {name}{' '}
        <span className="faint">{status === 'PENDING' ? text.sending : arrived(tookMs)}</span>
      </p>
    ),
  }
}

const arrived = (tookMs: number | null): string =>
  tookMs === null
    ? text.delivered
    : text.deliveredIn({ duration: tookMs < 1000 ? formatMs(tookMs) : formatDuration(tookMs) })

function displayOfWebhook({
  eventType,
  url,
  status,
  responseStatus,
  error,
}: Of<'WEBHOOK'>): LineDisplay {
  const isFailed = status === 'FAILED'
  const response =
    responseStatus === null ? text.sending : text.responded({ status: responseStatus })
  return {
    node: isFailed ? (
      <StateDot state="DEGRADED" />
    ) : (
      <Webhook className="icon" aria-hidden="true" />
    ),
    content: (
      <>
        <p>
          <span className="mono">{eventType}</span> {text.to} {URL.parse(url)?.host ?? url}{' '}
          <span className="faint">{isFailed ? text.failed : response}</span>
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
