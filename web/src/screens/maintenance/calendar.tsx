import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Repeat } from 'lucide-react'
import type { ReactNode } from 'react'
import { maintenanceText } from '../../messages/publishing/maintenance.ts'
import { useRead } from '../../session/use-api.ts'
import type { WindowEntry } from '../../shared/maintenance-window.ts'
import { formatClock, formatDay, formatMonth, formatShortDate } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { VIEWER_ZONE } from '../../time/viewer.ts'
import { fromWall, toWall } from '../../time/wall-time.ts'
import { type Address, useAddress } from '../../ui/address.ts'
import { Failed } from '../../ui/loading.tsx'
import { daysForName, daysOfMonth, isMonth, partOn, shiftMonth } from './month.ts'
import '../../ui/legend.css'
import './calendar.css'

const ADDRESS = { month: '', window: '' }
const DAY_MS = 24 * 3_600_000
const TEXT = maintenanceText.calendar
const STATES = maintenanceText.states
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** A month of windows, by days in the viewer's time zone. */
export function Calendar() {
  const now = useNow(60_000)
  const [address] = useAddress(ADDRESS)
  const today = toWall(now, VIEWER_ZONE).slice(0, 10)
  const month = isMonth(address.month) ? address.month : today.slice(0, 7)
  const days = daysOfMonth(month)
  const from = fromWall(`${days[0]}T00:00`, VIEWER_ZONE)
  const last = Date.parse(`${days.at(-1)}T00:00Z`) + DAY_MS
  const to = fromWall(new Date(last).toISOString().slice(0, 16), VIEWER_ZONE)
  const calendar = useRead('GET /overview/calendar', { query: { from, to } })
  const entries = (calendar.data?.data ?? []).map(toDatedEntry)
  return (
    <section className={calendar.isPending ? 'card wait' : 'card'} aria-labelledby="month">
      <header>
        <h2 id="month">{formatMonth(month)}</h2>
        <Steps month={month} />
      </header>
      {calendar.error && calendar.data === undefined ? (
        <Failed error={calendar.error} retry={() => void calendar.refetch()} />
      ) : (
        <>
          <ol className="dow" aria-hidden="true">
            {DAYS.map((day) => (
              <li key={day}>{day}</li>
            ))}
          </ol>
          <ol className="month">
            {days.map((day, index) => (
              <Day
                key={day}
                day={day}
                isWeekend={index % 7 > 4}
                isWeekStart={index % 7 === 0}
                isFirst={index === 0}
                isToday={day === today}
                isOut={!day.startsWith(month)}
                entries={entries.filter(({ first, last }) => first <= day && day <= last)}
              />
            ))}
          </ol>
        </>
      )}
      <Legend more={calendar.data?.more ?? false} />
    </section>
  )
}

const dayOf = (at: string | number): string => toWall(at, VIEWER_ZONE).slice(0, 10)

type DatedEntry = WindowEntry & { first: string; last: string }

/** The days it covers. A window that ends at midnight does not cover the day that starts then. */
const toDatedEntry = (entry: WindowEntry): DatedEntry => ({
  ...entry,
  first: dayOf(entry.startsAt),
  last: dayOf(Date.parse(entry.endsAt) - 1),
})

function Steps({ month }: { month: string }) {
  const to =
    (value: string | undefined) =>
    (before: Address): Address => ({
      ...before,
      month: value,
    })
  const step = (by: number) => shiftMonth(month, by)
  return (
    <div className="row">
      <Link className="btn ghost sm" to="." search={to(undefined)} resetScroll={false}>
        {TEXT.today}
      </Link>
      <Link
        className="btn square sm"
        to="."
        search={to(step(-1))}
        resetScroll={false}
        aria-label={formatMonth(step(-1))}
      >
        <ChevronLeft className="icon dir" aria-hidden="true" />
      </Link>
      <Link
        className="btn square sm"
        to="."
        search={to(step(1))}
        resetScroll={false}
        aria-label={formatMonth(step(1))}
      >
        <ChevronRight className="icon dir" aria-hidden="true" />
      </Link>
    </div>
  )
}

type DayProps = {
  day: string
  isWeekend: boolean
  isWeekStart: boolean
  isFirst: boolean
  isToday: boolean
  isOut: boolean
  entries: readonly DatedEntry[]
}

const SHOWN = 4

function Day({ day, isWeekend, isWeekStart, isFirst, isToday, isOut, entries }: DayProps) {
  const names = ['day', isWeekend && 'we', isToday && 'today', isOut && 'out']
  const number = Number(day.slice(8))
  return (
    <li
      className={names.filter(Boolean).join(' ')}
      {...(isToday && { 'aria-current': 'date' as const })}
    >
      <time dateTime={day}>{isFirst || number === 1 ? <DayOfMonth day={day} /> : number}</time>
      {entries.slice(0, SHOWN).map((entry) => (
        <Event key={entry.windowId + entry.startsAt} of={entry} day={day} isFirst={isWeekStart} />
      ))}
      {entries.length > SHOWN && (
        <span className="hint">{TEXT.more({ count: entries.length - SHOWN })}</span>
      )}
    </li>
  )
}

/** `Nov 1`, or `1 Nov` where the viewer writes it so. */
function DayOfMonth({ day }: { day: string }) {
  const number = String(Number(day.slice(8)))
  const [before = '', after = ''] = formatShortDate(day).split(number)
  return (
    <>
      {before !== '' && <span className="mon">{before}</span>}
      {number}
      {after !== '' && <span className="mon">{after}</span>}
    </>
  )
}

const APPEARANCES = { ACTIVE: 'now', COMPLETED: 'done', SCHEDULED: '' }

/** A window of several days is one bar across them, labeled at its start and at the start of each week. */
function Event({ of, day, isFirst }: { of: DatedEntry; day: string; isFirst: boolean }) {
  const part = partOn(of.first, of.last, day)
  const isSpan = part !== 'all'
  const isNamed = !isSpan || part === 'from' || isFirst
  const names = ['ev', of.repeats && 'rep', APPEARANCES[of.status], isSpan && `span ${part}`]
  return (
    <Link
      className={names.filter(Boolean).join(' ')}
      to="."
      search={(before: Address): Address => ({ ...before, window: of.windowId })}
      resetScroll={false}
      activeProps={{ 'aria-current': undefined }}
      title={titleOf(of, isSpan)}
      {...(!isNamed && { tabIndex: -1, 'aria-hidden': true })}
    >
      {isSpan ? (
        <span className="truncate" style={{ width: widthOf(daysForName(of.last, day)) }}>
          {part === 'from' && <b className="num">{formatClock(of.startsAt)} </b>}
          {part === 'to' ? untilText(of, isNamed) : isNamed && <bdi>{of.name}</bdi>}
          {part === 'mid' && !isNamed && '\u00a0'}
        </span>
      ) : (
        <>
          <b className="num truncate">{formatClock(of.startsAt)}</b>
          <bdi className="truncate">{of.name}</bdi>
        </>
      )}
    </Link>
  )
}

/** A name may run across the days of its bar, but not into the text on the last day. */
const widthOf = (days: number): string => `calc(${days} * 100% + ${days - 1} * 12px)`

function untilText({ name, endsAt }: WindowEntry, isNamed: boolean): ReactNode {
  const clock = formatClock(endsAt)
  return isNamed ? TEXT.nameUntil({ name: <bdi>{name}</bdi>, clock }) : TEXT.until({ clock })
}

function titleOf({ name, startsAt, endsAt }: WindowEntry, isSpan: boolean): string {
  if (!isSpan) return `${formatClock(startsAt)} ${name}`
  const at = (instant: string) => `${formatDay(instant, instant)} ${formatClock(instant)}`
  return TEXT.span({ name, from: at(startsAt), to: at(endsAt) })
}

function Legend({ more }: { more: boolean }) {
  return (
    <footer>
      <div className="legend">
        <span>
          <i className="k now" />
          {STATES.ACTIVE}
        </span>
        <span>
          <i className="k" />
          {STATES.SCHEDULED}
        </span>
        <span>
          <Repeat className="icon sm" aria-hidden="true" />
          {TEXT.repeats}
        </span>
        <span>
          <i className="k done" />
          {STATES.COMPLETED}
        </span>
      </div>
      <span className="faint">{more && TEXT.tooMany}</span>
    </footer>
  )
}
