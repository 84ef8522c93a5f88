import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { Fragment } from 'react'
import { EVENT_TYPES } from '../../../../src/domain/events/event.ts'
import { deliveriesText as TEXT } from '../../messages/connections/webhooks.ts'
import { useRead } from '../../session/use-api.ts'
import { formatDay } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { type Address, useAddress } from '../../ui/address.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded, SkeletonRows } from '../../ui/loading.tsx'
import { Segment } from '../../ui/segment.tsx'
import { StateLabel } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { breakable } from './breakable.tsx'
import {
  appearanceOfDelivery,
  type DeliveryView,
  type EndpointView,
  responseLabel,
  tookOf,
} from './delivery.ts'
import { DeliveryDetail } from './delivery-detail.tsx'
import '../../ui/log.css'
import './deliveries.css'

const PAGE_SIZE = 25
const EVERY_MS = 10_000
// Faster while a delivery is open, since it may just have been retried.
const WATCH_MS = 2_000
const ADDRESS = { endpoint: '', show: 'all', event: '', cursor: '', delivery: '' }
const SHOW = [
  { value: 'all', label: TEXT.show.all },
  { value: 'failed', label: TEXT.show.failed },
  { value: 'waiting', label: TEXT.show.waiting },
  { value: 'retried', label: TEXT.show.retried },
]

const WHICH = {
  failed: { status: ['FAILED' as const] },
  waiting: { status: ['PENDING' as const] },
  retried: { troubled: true },
}

/** The query from the URL. Empty values are not sent. */
function toQuery({ endpoint, show, event, cursor }: Record<keyof typeof ADDRESS, string>) {
  const which = Object.hasOwn(WHICH, show) ? WHICH[show as keyof typeof WHICH] : {}
  return { limit: PAGE_SIZE, endpointId: endpoint, eventType: event, cursor, ...which }
}

export function Deliveries({ endpoints }: { endpoints: readonly EndpointView[] }) {
  const [address, go] = useAddress(ADDRESS)
  const { endpoint, show, event, cursor, delivery } = address
  const query = toQuery(address)
  const refetchInterval = delivery === '' ? EVERY_MS : WATCH_MS
  const list = useRead('GET /overview/webhook-deliveries', { query }, { refetchInterval })
  const isFiltered = endpoint + event !== '' || show !== 'all'
  return (
    <section className="card" aria-labelledby="deliveries">
      <header className="log-head">
        <h2 id="deliveries">{TEXT.title}</h2>
        <div className="row wrap">
          <Pick
            label={TEXT.endpoint}
            value={endpoint}
            every={TEXT.everyEndpoint}
            options={endpoints.map(({ id, url }) => ({ value: id, label: url }))}
            onPick={(value) => go({ endpoint: value, cursor: '', delivery: '' })}
          />
          <Pick
            label={TEXT.event}
            value={event}
            every={TEXT.everyEvent}
            options={EVENT_TYPES.map((type) => ({ value: type, label: type }))}
            onPick={(value) => go({ event: value, cursor: '', delivery: '' })}
          />
          <div className="segment-scroll">
            <Segment label={TEXT.which} name="show" value={show} options={SHOW} />
          </div>
        </div>
      </header>
      <Log list={list} />
      {list.data?.data.length === 0 && (
        <Empty title={isFiltered ? TEXT.noMatches : TEXT.empty}>
          {isFiltered ? TEXT.noMatchesAbout : TEXT.emptyAbout}
        </Empty>
      )}
      <footer>
        <span>{TEXT.kept}</span>
        <Steps cursor={cursor} next={list.data?.next ?? null} />
      </footer>
    </section>
  )
}

type PickProps = {
  label: string
  value: string
  every: string
  options: readonly { value: string; label: string }[]
  onPick: (value: string) => void
}

function Pick({ label, value, every, options, onPick }: PickProps) {
  return (
    <select
      className="select pick"
      aria-label={label}
      value={value}
      onChange={(event) => onPick(event.currentTarget.value)}
    >
      <option value="">{every}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

/** Newest first. The log grows at the top, so pages use a cursor instead of a number. */
function Steps({ cursor, next }: { cursor: string; next: string | null }) {
  const to =
    (value: string | undefined) =>
    (before: Address): Address => ({
      ...before,
      cursor: value,
      delivery: undefined,
    })
  return (
    <nav className="row" aria-label={TEXT.pages}>
      {cursor !== '' && (
        <Link className="btn sm" to="." search={to(undefined)} resetScroll={false}>
          {TEXT.newest}
        </Link>
      )}
      {next !== null && (
        <Link className="btn sm" to="." search={to(next)} resetScroll={false}>
          {TEXT.older}
        </Link>
      )}
    </nav>
  )
}

function Log({ list }: { list: ReturnType<typeof useRead<'GET /overview/webhook-deliveries'>> }) {
  const [{ delivery: open }, go] = useAddress(ADDRESS)
  return (
    <table className="table dense log deliveries">
      <thead>
        <tr>
          <th className="hide-phone">{TEXT.time}</th>
          <th>{TEXT.event}</th>
          <th className="to">{TEXT.endpoint}</th>
          <th>{TEXT.result}</th>
          <th className="end hide-phone">{TEXT.response}</th>
          <th className="end hide-phone">{TEXT.attempts}</th>
          <th className="end hide-phone">{TEXT.took}</th>
          <th>
            <span className="sr">{TEXT.details}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        <Loaded
          query={list}
          loading={
            <SkeletonRows rows={8} widths={['60%', '60%', '60%', '50%', '30%', '20%', '30%', '']} />
          }
        >
          {({ data }) =>
            data.map((delivery) => (
              <Fragment key={delivery.id}>
                <Row
                  of={delivery}
                  open={open === delivery.id}
                  toggle={() => go({ delivery: open === delivery.id ? '' : delivery.id })}
                />
                {open === delivery.id && (
                  <tr className="detail">
                    <td colSpan={8}>
                      <DeliveryDetail id={delivery.id} />
                    </td>
                  </tr>
                )}
              </Fragment>
            ))
          }
        </Loaded>
      </tbody>
    </table>
  )
}

const hostOf = (url: string): string => URL.parse(url)?.hostname ?? url

function Row({ of, open, toggle }: { of: DeliveryView; open: boolean; toggle: () => void }) {
  const now = useNow(10_000)
  const { state, word } = appearanceOfDelivery(of)
  const Icon = open ? ChevronDown : ChevronRight
  const isToday = formatDay(of.createdAt, now) === formatDay(now, now)
  const time = <Time at={of.createdAt} as={isToday ? 'seconds' : 'moment'} />
  return (
    <tr>
      <td className="num hide-phone">{time}</td>
      <td>
        <div className="two">
          <span className="mono">{breakable(of.eventType, 'event')}</span>
          <span className="truncate sub-to" title={of.url}>
            {hostOf(of.url)}
          </span>
          <span className="only-phone num">{time}</span>
        </div>
      </td>
      <td className="to">
        <span className="truncate" title={of.url}>
          {hostOf(of.url)}
        </span>
      </td>
      <td>
        <StateLabel state={state} word={word} />
      </td>
      <td className="num end hide-phone">{responseLabel(of.lastResponseStatus, of.lastError)}</td>
      <td className="num end hide-phone">{of.attemptCount}</td>
      <td className="num end hide-phone">{tookOf(of, now)}</td>
      <td className="end">
        <Button
          kind="ghost"
          square
          size="sm"
          aria-expanded={open}
          aria-label={TEXT.attemptsOf({ event: of.eventType })}
          onClick={toggle}
        >
          <Icon className="icon dir" aria-hidden="true" />
        </Button>
      </td>
    </tr>
  )
}
