import { Link, useNavigate } from '@tanstack/react-router'
import { Ellipsis, Pause, Pencil, Play, RefreshCw, Send, Trash2 } from 'lucide-react'
import { EVENT_TYPES } from '../../../../src/domain/events/event.ts'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { endpointText as TEXT } from '../../messages/connections/webhooks.ts'
import { ManagedBy, type Management } from '../../shared/managed-by.tsx'
import { formatShare } from '../../time/figures.ts'
import { formatMoment, formatSpan } from '../../time/format.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/overlay/menu.tsx'
import { StateLabel } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { breakable } from './breakable.tsx'
import { appearanceOfEndpoint, type EndpointView } from './delivery.ts'
import './endpoint-card.css'

export type EndpointActions = {
  test: (endpoint: EndpointView) => void
  rotate: (endpoint: EndpointView) => void
  switchTo: (endpoint: EndpointView, enabled: boolean) => void
  remove: (endpoint: EndpointView) => void
  /** The endpoint being tested. */
  testing: string | undefined
}

type CardProps = {
  of: EndpointView
  managedBy: Management | undefined
  actions: EndpointActions | undefined
}

/** `actions` is undefined if the viewer may not use them. */
export function EndpointCard({ of, managedBy, actions }: CardProps) {
  const { state, word } = appearanceOfEndpoint(of)
  return (
    <section className="card" aria-labelledby={of.id}>
      <header className="ep-head">
        <div className="grow two">
          <h2 id={of.id} className="truncate mono ep-url" title={of.url}>
            {breakable(of.url, 'address')}
          </h2>
          {of.description !== null && of.description !== '' && (
            <span className="truncate" title={of.description}>
              {of.description}
            </span>
          )}
          <ManagedBy of={managedBy} />
        </div>
        <div className="row">
          <span className="grow-phone row ep-state">
            <StateLabel state={state} word={word} />
          </span>
          {actions && <EndpointButtons of={of} actions={actions} />}
        </div>
      </header>
      <EndpointProblem of={of} />
      <EndpointDetails of={of} />
    </section>
  )
}

function EndpointButtons({ of, actions }: { of: EndpointView; actions: EndpointActions }) {
  const navigate = useNavigate()
  const edit = () => void navigate({ to: PATHS.editEndpoint, params: { endpointId: of.id } })
  return (
    <>
      <Button size="sm" busy={actions.testing === of.id} onClick={() => actions.test(of)}>
        <Send className="icon" aria-hidden="true" />
        {TEXT.test}
      </Button>
      <Menu
        trigger={
          <Button square size="sm" aria-label={TEXT.more({ url: of.url })}>
            <Ellipsis className="icon" aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem icon={Pencil} onSelect={edit}>
          {TEXT.edit}
        </MenuItem>
        <MenuItem icon={RefreshCw} onSelect={() => actions.rotate(of)}>
          {TEXT.rotate}
        </MenuItem>
        <MenuItem
          icon={of.enabled ? Pause : Play}
          onSelect={() => actions.switchTo(of, !of.enabled)}
        >
          {of.enabled ? TEXT.disable : TEXT.enable}
        </MenuItem>
        <MenuLine />
        <MenuItem icon={Trash2} danger onSelect={() => actions.remove(of)}>
          {TEXT.delete}
        </MenuItem>
      </Menu>
    </>
  )
}

/** A problem has a sentence, a time and a next step. */
function EndpointProblem({ of }: { of: EndpointView }) {
  const sentence = problemOf(of)
  if (sentence === undefined) return null
  return (
    <p className="ep-problem">
      {sentence}{' '}
      <Link
        className="link"
        to={PATHS.webhooks}
        search={{ endpoint: of.id, show: 'retried' }}
        resetScroll={false}
      >
        {TEXT.viewFailed}
      </Link>
    </p>
  )
}

function problemOf(of: EndpointView): string | undefined {
  const { sending, disabledReason, failuresInARow, failingSince, held, probeSeconds } = of
  const failures =
    failingSince === null
      ? TEXT.failures({ count: failuresInARow })
      : TEXT.failuresSince({
          count: failuresInARow,
          since: formatMoment(failingSince, Date.now()),
        })
  if (sending === 'HALTED')
    return `${failures} ${TEXT.slowed({ pace: paceOf(probeSeconds), held })}`
  if (disabledReason === 'FAILING') return TEXT.failedForDays
  if (disabledReason === 'GONE') return TEXT.gone
  if (disabledReason === 'MANUAL' && held > 0) return TEXT.heldWhileDisabled({ held })
  return failuresInARow > 0 ? failures : undefined
}

function paceOf(seconds: number | null): string {
  if (seconds === null) return TEXT.oneNowAndThen
  return seconds === 60 ? TEXT.onePerMinute : TEXT.oneEvery({ span: formatSpan(seconds * 1000) })
}

function EndpointDetails({ of }: { of: EndpointView }) {
  return (
    <dl className="endpoint">
      <div>
        <dt>{TEXT.events}</dt>
        <dd className="ep-events">{eventsOf(of.eventTypes)}</dd>
      </div>
      <div>
        <dt>{TEXT.delivered24h}</dt>
        <dd className="num">
          <Delivered {...of.last24h} />
        </dd>
      </div>
      <div>
        <dt>{TEXT.lastSuccess}</dt>
        <dd className="num">
          <Time at={of.lastSuccessAt} as="ago" none={TEXT.never} />
        </dd>
      </div>
      <div>
        <dt>{TEXT.secret}</dt>
        <dd>
          <span className="mono">…{of.secretHint}</span>
          {of.previousSecretExpiresAt !== null && (
            <>
              <br />
              <span className="faint">
                {TEXT.bothUntil} <Time at={of.previousSecretExpiresAt} />
              </span>
            </>
          )}
        </dd>
      </div>
    </dl>
  )
}

/** Counts finished deliveries only: pending ones are neither delivered nor lost. */
function Delivered({ succeeded, failed, pending, successRatio }: EndpointView['last24h']) {
  const waiting = pending > 0 && TEXT.pending({ count: pending })
  if (successRatio === null) return waiting || TEXT.nothing
  return (
    <>
      {TEXT.deliveredOf({ succeeded, all: succeeded + failed })}{' '}
      <span className="faint">
        {formatShare(successRatio, 1)}
        {waiting && `, ${waiting}`}
      </span>
    </>
  )
}

function eventsOf(types: readonly string[]): string {
  if (types.includes('*')) return TEXT.allEvents({ count: EVENT_TYPES.length })
  const shown = types.slice(0, 3).join(', ')
  return types.length > 3 ? TEXT.andMore({ shown, count: types.length - 3 }) : shown
}
