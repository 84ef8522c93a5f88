// A maintenance of Uptime Kuma, by its strategy.
import type { Collector } from '../common/collector.ts'
import { ItemDraft } from '../common/draft.ts'
import { setName, setText } from '../common/limits.ts'
import type { MapOptions } from '../common/options.ts'
import type { SourceItem } from '../common/report.ts'
import { reportUnread, WatchedRow } from '../common/settings.ts'
import {
  flagOf,
  jsonOf,
  listOf,
  numberOf,
  type SourceRow,
  textOf,
  toPlainText,
} from '../common/values.ts'
import { type Repeating, setMonitors, setOnce, setRepeating, WEEK } from '../common/windows.ts'
import { isZone, minutesBetween, toInstant } from '../common/zoned-time.ts'
import { WINDOW_RULES } from './settings.ts'

type KumaKeys = { monitors: readonly string[]; pages: readonly string[] }

const LOCAL = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)/
const MAX_TEXT = 2000
const MAX_INTERVAL = 52
const LAST_DAY = 'lastDay1'

type Rule = Pick<Repeating, 'recurrence' | 'fits'>

/** `timezone` is the one of the server. */
export function addMaintenance(
  out: Collector,
  row: SourceRow,
  keys: KumaKeys,
  { now, timezone }: Pick<MapOptions, 'now' | 'timezone'>,
): void {
  const item: SourceItem = {
    kind: 'maintenance window',
    id: textOf(row, 'id'),
    name: textOf(row, 'title'),
  }
  const watched = new WatchedRow(row)
  const own = textOf(watched.row, 'timezone')
  const zone = isZone(own) ? own : timezone
  const [first, ...others] = draftsOf(watched.row, keys, zone, now)
  if (first === undefined) return out.refuse(item, 'It happens on no day.')
  reportUnread(first, watched, WINDOW_RULES)
  if (out.add('maintenanceWindows', item, first) === undefined) return
  for (const draft of others)
    out.addBeside('maintenanceWindows', draft, 'A window happens on one day of the month.')
}

function draftsOf(row: SourceRow, keys: KumaKeys, zone: string, now: Date): ItemDraft[] {
  const strategy = textOf(row, 'strategy')
  const base = () => draftBase(row, keys)
  if (flagOf(row, 'active') === false) return [refused(base(), 'It is switched off.')]
  if (strategy === 'single') return [draftSingle(base(), row, zone, now)]
  const rules = rulesOf(row, strategy)
  if (rules === undefined)
    return [refused(base(), `Upvane has no windows by the strategy "${strategy.slice(0, 40)}".`)]
  return rules.map((rule) => draftRepeating(base(), row, { ...rule, zone }, now))
}

function draftBase(row: SourceRow, { monitors, pages }: KumaKeys): ItemDraft {
  const draft = new ItemDraft()
  setName(draft, textOf(row, 'title'))
  setText(draft, 'description', textOf(row, 'description'), MAX_TEXT)
  setMonitors(draft, monitors, false)
  if (pages.length > 0) draft.set('statusPages', [...new Set(pages)])
  return draft
}

function refused(draft: ItemDraft, why: string): ItemDraft {
  draft.refuse(why)
  return draft
}

function draftSingle(draft: ItemDraft, row: SourceRow, zone: string, now: Date): ItemDraft {
  const from = localTime(textOf(row, 'start_date'), zone)
  const to = localTime(textOf(row, 'end_date'), zone)
  if (from === undefined || to === undefined) return refused(draft, 'Its dates cannot be read.')
  setOnce(draft, from, to, now)
  draft.set('timezone', zone)
  return draft
}

function localTime(text: string, zone: string): Date | undefined {
  const [, date, time] = LOCAL.exec(text) ?? []
  return date === undefined || time === undefined ? undefined : toInstant(date, time, zone)
}

function draftRepeating(
  draft: ItemDraft,
  row: SourceRow,
  { zone, recurrence, fits }: Rule & { zone: string },
  now: Date,
): ItemDraft {
  const from = textOf(row, 'start_time').slice(0, 5)
  const minutes = minutesBetween(from, textOf(row, 'end_time').slice(0, 5)) ?? 0
  const until = localTime(textOf(row, 'end_date'), zone)
  if (until !== undefined && until <= now) return refused(draft, 'It is over.')
  const whole = until === undefined ? recurrence : { ...recurrence, endsAt: until.toISOString() }
  // One that begins later happens for the first time after that.
  const since = localTime(textOf(row, 'start_date'), zone)
  const begin = since !== undefined && since > now ? since : now
  setRepeating(draft, { zone, from, minutes, recurrence: whole, fits }, begin)
  const { startsAt } = draft.fields
  if (recurrence['frequency'] === 'DAILY' && recurrence['interval'] !== 1)
    draft.change(
      'start_date',
      textOf(row, 'start_date'),
      startsAt,
      'Days are counted from here on.',
    )
  if (until !== undefined && typeof startsAt === 'string' && until <= new Date(startsAt))
    draft.refuse('It ends before it happens again.')
  return draft
}

/** Undefined for a strategy that Upvane does not have. */
function rulesOf(row: SourceRow, strategy: string): Rule[] | undefined {
  if (strategy === 'recurring-interval') return intervalRules(numberOf(row, 'interval_day') ?? 1)
  if (strategy === 'recurring-weekday') return weekdayRules(listOf(jsonOf(row, 'weekdays')))
  if (strategy === 'recurring-day-of-month') return monthRules(listOf(jsonOf(row, 'days_of_month')))
  return undefined
}

function intervalRules(interval: number): Rule[] {
  if (!Number.isInteger(interval) || interval < 1 || interval > MAX_INTERVAL) return []
  return [{ recurrence: { frequency: 'DAILY', interval }, fits: () => true }]
}

/** Uptime Kuma counts from Sunday, 0. */
function weekdayRules(days: readonly unknown[]): Rule[] {
  const names = new Set(
    days.flatMap((day) => (typeof day === 'number' ? (WEEK[(day + 6) % 7] ?? []) : [])),
  )
  const daysOfWeek = WEEK.filter((name) => names.has(name))
  if (daysOfWeek.length === 0) return []
  return [
    {
      recurrence: { frequency: 'WEEKLY', daysOfWeek },
      fits: ({ weekday }) => names.has(weekday),
    },
  ]
}

function monthRules(days: readonly unknown[]): Rule[] {
  return [...new Set(days)].flatMap((day): Rule[] => {
    if (day === LAST_DAY)
      return [
        {
          recurrence: { frequency: 'MONTHLY', dayOfMonth: -1 },
          fits: ({ isLastOfMonth }) => isLastOfMonth,
        },
      ]
    const number = Number(toPlainText(day) || 'none')
    if (!Number.isInteger(number) || number < 1 || number > 31) return []
    return [
      {
        recurrence: { frequency: 'MONTHLY', dayOfMonth: number },
        fits: ({ dayOfMonth }) => dayOfMonth === number,
      },
    ]
  })
}
