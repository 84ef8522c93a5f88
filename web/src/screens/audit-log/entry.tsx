import { Link } from '@tanstack/react-router'
import {
  ArrowRight,
  Bell,
  ChevronDown,
  ChevronRight,
  KeyRound,
  SlidersHorizontal,
} from 'lucide-react'
import type { ItemOf } from '../../api/contract.ts'
import { auditLogText } from '../../messages/audit-log.ts'
import { formatClock } from '../../time/format.ts'
import { Button } from '../../ui/button.tsx'
import { initialsOf } from '../../ui/initials.ts'
import { Time } from '../../ui/time.tsx'
import { actionLabel, sentenceOf } from './action-labels.ts'
import { objectPath } from './object-path.ts'
import { fieldLabel, valueLabel } from './values.ts'
import '../../ui/avatar.css'
import './audit-log.css'
import './entry-detail.css'

export type AuditEntry = ItemOf<'GET /audit-log'>

type EntryProps = { of: AuditEntry; isOpen: boolean; toggle: () => void }

export function Entry({ of, isOpen, toggle }: EntryProps) {
  const { actor } = of
  const Icon = isOpen ? ChevronDown : ChevronRight
  return (
    <>
      <tr className={isOpen ? 'is-open' : ''}>
        <td className="num tm">
          <Time at={of.at} as="seconds" />
        </td>
        <td className="ac2">
          <span className="who">
            <ActorMark of={actor} />
            <bdi className="truncate" title={actor.name}>
              {actor.name}
            </bdi>
          </span>
        </td>
        <td className="wt">
          <Sentence of={of} />
        </td>
        <td className="end bt">
          <Button
            kind="ghost"
            square
            size="sm"
            aria-expanded={isOpen}
            aria-label={`Details of ${formatClock(of.at, undefined, true)}`}
            onClick={toggle}
          >
            <Icon className="icon dir" aria-hidden="true" />
          </Button>
        </td>
      </tr>
      {isOpen && (
        <tr className="detail">
          <td colSpan={4}>
            <Detail of={of} />
          </td>
        </tr>
      )}
    </>
  )
}

function Sentence({ of }: { of: AuditEntry }) {
  const { before, fields, after, object } = sentenceOf(of)
  return (
    <>
      {before}
      {fields !== '' && <b>{fields}</b>}
      {after}
      {object !== null && <ObjectName of={of} name={object} />}
      {of.actor.type === 'ALERT_CONTACT' && ' by the link in an alert'}
    </>
  )
}

/** A link while the object exists. */
function ObjectName({ of, name }: { of: AuditEntry; name: string }) {
  const path = of.exists && of.resourceId !== null ? objectPath(of.resourceId) : undefined
  const text = <bdi className={of.resourceName === null ? 'mono' : ''}>{name}</bdi>
  if (path === undefined) return <b>{text}</b>
  return (
    <b>
      <Link className="link" to={path}>
        {text}
      </Link>
    </b>
  )
}

function Detail({ of }: { of: AuditEntry }) {
  return (
    <div className="audit-detail">
      {of.changes.length > 0 && (
        <dl className="chg">
          {of.changes.map((change) => (
            <Change key={change.field} of={change} />
          ))}
        </dl>
      )}
      <dl className="chg">
        {of.resourceId !== null && (
          <>
            <dt>{auditLogText.object}</dt>
            <dd>
              {of.resourceName !== null && <ObjectName of={of} name={of.resourceName} />}
              <span className="mono faint">{of.resourceId}</span>
            </dd>
          </>
        )}
        <dt>{auditLogText.action}</dt>
        <dd>{actionLabel(of.action)}</dd>
        {of.via === 'MCP' && (
          <>
            <dt>{auditLogText.through}</dt>
            <dd>{auditLogText.anAssistantMcp}</dd>
          </>
        )}
        {of.requestId !== null && (
          <>
            <dt>{auditLogText.request}</dt>
            <dd className="mono">{of.requestId}</dd>
          </>
        )}
      </dl>
    </div>
  )
}

function Change({ of: { field, from, to } }: { of: AuditEntry['changes'][number] }) {
  return (
    <>
      <dt>{fieldLabel(field)}</dt>
      <dd>
        {from !== undefined && (
          <>
            <del>{valueLabel(field, from)}</del>
            <ArrowRight className="icon dir" aria-label={auditLogText.changedTo} />
          </>
        )}
        {to === undefined ? 'changed' : <ins>{valueLabel(field, to)}</ins>}
      </dd>
    </>
  )
}

const MARKS = {
  API_KEY: { Icon: KeyRound, label: 'API key' },
  OPERATOR: { Icon: SlidersHorizontal, label: 'Operator' },
  ALERT_CONTACT: { Icon: Bell, label: 'Alert contact' },
} as const

function ActorMark({ of }: { of: AuditEntry['actor'] }) {
  if (of.type === 'USER')
    return (
      <span className="avatar round" aria-hidden="true">
        {initialsOf(of.name)}
      </span>
    )
  const { Icon, label } = MARKS[of.type]
  return (
    <span className="avatar round sys">
      <Icon className="icon" aria-label={label} />
    </span>
  )
}
