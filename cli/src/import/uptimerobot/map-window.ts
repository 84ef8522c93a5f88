// A maintenance window of UptimeRobot, by the clock of the account.
import { ItemDraft } from '../common/draft.ts'
import { setName } from '../common/limits.ts'
import type { MapOptions } from '../common/options.ts'
import { flagOf, listOf, numberOf, type SourceRow, textOf, toPlainText } from '../common/values.ts'
import { setMonitors, setOnce, setRepeating, WEEK } from '../common/windows.ts'
import { toInstant } from '../common/zoned-time.ts'

const MINUTE_MS = 60_000

export function draftWindow(
  row: SourceRow,
  monitors: readonly string[],
  options: MapOptions,
): ItemDraft {
  const draft = new ItemDraft()
  const { now, timezone: zone } = options
  setName(draft, textOf(row, 'name', 'friendlyName'))
  setMonitors(draft, monitors, flagOf(row, 'autoAddMonitors') === true)
  if (/paused/i.test(textOf(row, 'status'))) draft.refuse('It is switched off.')
  const interval = textOf(row, 'interval').toLowerCase()
  const minutes = numberOf(row, 'duration') ?? 0
  const from = textOf(row, 'time').slice(0, 5)
  if (interval === 'once') mapOnce(draft, row, { from, minutes, zone, now })
  else {
    const rule = ruleOf(interval, listOf(row['days']))
    if (rule === undefined) draft.refuse('It happens on no day that Upvane knows.')
    else setRepeating(draft, { ...rule, zone, from, minutes }, now)
  }
  return draft
}

type Once = { from: string; minutes: number; zone: string; now: Date }

function mapOnce(draft: ItemDraft, row: SourceRow, { from, minutes, zone, now }: Once): void {
  const startsAt = toInstant(textOf(row, 'date').slice(0, 10), from, zone)
  if (startsAt === undefined) return draft.refuse('Its date cannot be read.')
  setOnce(draft, startsAt, new Date(startsAt.getTime() + minutes * MINUTE_MS), now)
  draft.set('timezone', zone)
}

/** Days of the week count from Monday, 1. */
function ruleOf(interval: string, days: readonly unknown[]) {
  const numbers = new Set(days.map((day) => Number(toPlainText(day) || 'none')))
  if (interval === 'daily') return { recurrence: { frequency: 'DAILY' }, fits: () => true }
  if (interval === 'weekly') {
    const daysOfWeek = WEEK.filter((_, at) => numbers.has(at + 1))
    if (daysOfWeek.length === 0) return undefined
    const fits = ({ weekday }: { weekday: (typeof WEEK)[number] }) => daysOfWeek.includes(weekday)
    return { recurrence: { frequency: 'WEEKLY', daysOfWeek }, fits }
  }
  const [day] = numbers
  if (interval !== 'monthly' || numbers.size !== 1 || day === undefined) return undefined
  if (!Number.isInteger(day) || day < -1 || day === 0 || day > 31) return undefined
  const fits = (local: { dayOfMonth: number; isLastOfMonth: boolean }) =>
    day === -1 ? local.isLastOfMonth : local.dayOfMonth === day
  return { recurrence: { frequency: 'MONTHLY', dayOfMonth: day }, fits }
}
