// Open incidents, above everything else. Unacknowledged ones are on a red background with their button.

import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import type { ItemOf } from '../../api/contract.ts'
import { incidentsText } from '../../messages/incidents.ts'
import { useMay } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { causeSentence } from '../../shared/cause-sentence.ts'
import type { Address } from '../../ui/address.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/loading.tsx'
import { useOnlineOnly } from '../../ui/online-only.ts'
import { Pages } from '../../ui/pages.tsx'
import { Person } from '../../ui/person.tsx'
import { Mark } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import type { IncidentQuery } from './filters.ts'
import '../../ui/event-head.css'
import './ongoing.css'

const text = incidentsText.open
const FIRST = 5
const PAGE_SIZE = 25
const REFRESH_MS = 15_000

export type OngoingRow = ItemOf<'GET /overview/incidents'>
/** With `page`: all of them, paginated. Without: the first few. */
type OngoingProps = { query: IncidentQuery; page?: number | undefined }

const unacknowledgedFirst = (rows: readonly OngoingRow[]): OngoingRow[] =>
  [...rows].sort((a, b) => Number(a.acknowledgedBy !== null) - Number(b.acknowledgedBy !== null))

export function Ongoing({ query, page }: OngoingProps) {
  const part = page === undefined ? { limit: FIRST } : pageOf(page)
  const asked = { ...query, status: ['ONGOING' as const], ...part }
  const list = useRead('GET /overview/incidents', { query: asked }, { refetchInterval: REFRESH_MS })
  const { data } = list
  if (data === undefined && list.error !== null)
    // The list of resolved incidents next to it shows the error too.
    return page === undefined ? null : (
      <section className="card">
        <Failed error={list.error} retry={() => void list.refetch()} />
      </section>
    )
  if (data === undefined) return <div className="wait" aria-hidden="true" />
  if (data.data.length === 0) return null
  const rest = data.pagination.total - data.data.length
  return (
    <>
      <section className="card ongoing is-down" aria-labelledby="ongoing">
        <h2 id="ongoing" className="sr">
          {text.title}
        </h2>
        <ol>
          {unacknowledgedFirst(data.data).map((row) => (
            <OpenIncident key={row.id} row={row} />
          ))}
        </ol>
        {page === undefined && rest > 0 && (
          <footer>
            <Link
              to="."
              className="link"
              search={(before: Address): Address => ({ ...before, state: 'ongoing' })}
            >
              {text.more({ count: rest })}
            </Link>
          </footer>
        )}
      </section>
      {page !== undefined && data.pagination.total > PAGE_SIZE && <Pages {...data.pagination} />}
    </>
  )
}

const pageOf = (page: number) => ({ limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE })

function OpenIncident({ row }: { row: OngoingRow }) {
  const { id, monitor, cause, startedAt, contactsTold, acknowledgedBy, acknowledgeNote } = row
  const isOpen = acknowledgedBy === null
  return (
    <li className={isOpen ? 'open' : ''} data-row={id}>
      <Mark state="DOWN" />
      <div className="what">
        <h3 className="clamp">
          <Link to={PATHS.incident} params={{ incidentId: id }}>
            <bdi>{monitor.name}</bdi> {text.isDown}
          </Link>
        </h3>
        <p className="clamp">{cause && causeSentence(cause)}</p>
        <p className="meta">
          <span className="num">
            {text.since} <Time at={startedAt} />
          </span>
          <span>{text.alertsSent({ count: contactsTold })}</span>
          {!isOpen && <span>{text.remindersOff}</span>}
        </p>
      </div>
      <div className="timer">
        <b>
          <Time at={startedAt} as="elapsed" />
        </b>
        <span>{isOpen ? text.notAcknowledged : text.ongoing}</span>
      </div>
      {isOpen ? (
        <Actions row={row} />
      ) : (
        <div className="do taken">
          <Person
            name={acknowledgedBy.name}
            below={acknowledgeNote === null ? acknowledged(acknowledgedBy) : `“${acknowledgeNote}”`}
          />
        </div>
      )}
    </li>
  )
}

const acknowledged = ({ type }: NonNullable<OngoingRow['acknowledgedBy']>): string =>
  type === 'ALERT_CONTACT' ? text.acknowledgedByLink : text.acknowledged

function Actions({ row: { id, monitor } }: { row: OngoingRow }) {
  const acknowledge = useWrite('POST /incidents/{incidentId}/acknowledge', {
    onDone: () => toast(incidentsText.acknowledged),
  })
  const onlineOnly = useOnlineOnly()
  if (!useMay('MEMBER')) return <div className="do" />
  return (
    <div className="do" {...onlineOnly}>
      <Button
        kind="primary"
        busy={acknowledge.isPending}
        aria-label={text.acknowledgeOne({ monitor: monitor.name })}
        onClick={() => acknowledge.mutate({ params: { incidentId: id }, body: {} })}
      >
        {!acknowledge.isPending && <Check className="icon" aria-hidden="true" />}
        {incidentsText.acknowledge}
      </Button>
    </div>
  )
}
