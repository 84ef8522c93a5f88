// Better Stack keeps maintenance with each monitor. Monitors with the same times share a window.
import type { Collector } from '../common/collector.ts'
import { ItemDraft } from '../common/draft.ts'
import { setName } from '../common/limits.ts'
import { toZone } from '../common/time-zones.ts'
import { listOf, type SourceRow, textOf, toPlainText } from '../common/values.ts'
import { setMonitors, setRepeating, WEEK } from '../common/windows.ts'
import { minutesBetween } from '../common/zoned-time.ts'

const MAX_OF_WINDOW = 500

type Times = { from: string; to: string; zone: string; days: readonly (typeof WEEK)[number][] }

export class SharedWindows {
  readonly #windows = new Map<string, { times: Times; monitors: string[] }>()

  /** The draft is told if its times cannot be kept. Returns a function for once it has a key. */
  read(draft: ItemDraft, row: SourceRow): (key: string) => void {
    const from = textOf(row, 'maintenance_from').slice(0, 5)
    const to = textOf(row, 'maintenance_to').slice(0, 5)
    if (from === '' || to === '') return () => {}
    const name = textOf(row, 'maintenance_timezone') || 'UTC'
    const zone = toZone(name)
    const days = toDays(listOf(row['maintenance_days']))
    if (zone === undefined || days.length === 0) {
      draft.drop(
        'maintenance',
        `${from} to ${to} ${name}`,
        'Its days or its time zone cannot be read.',
      )
      return () => {}
    }
    return (key) => this.#add({ from, to, zone, days }, key)
  }

  #add(times: Times, monitor: string): void {
    const id = JSON.stringify(times)
    const known = this.#windows.get(id)
    if (known === undefined) this.#windows.set(id, { times, monitors: [monitor] })
    else known.monitors.push(monitor)
  }

  addTo(out: Collector, now: Date): void {
    for (const { times, monitors } of this.#windows.values())
      for (let at = 0; at < monitors.length; at += MAX_OF_WINDOW)
        out.addBeside(
          'maintenanceWindows',
          draftWindow(times, monitors.slice(at, at + MAX_OF_WINDOW), now),
          'Better Stack has it as a setting of its monitors.',
        )
  }
}

function draftWindow({ from, to, zone, days }: Times, monitors: string[], now: Date): ItemDraft {
  const draft = new ItemDraft()
  setName(draft, `Maintenance ${from} to ${to}`)
  setMonitors(draft, monitors, false)
  setRepeating(
    draft,
    {
      zone,
      from,
      minutes: minutesBetween(from, to) ?? 0,
      recurrence: { frequency: 'WEEKLY', daysOfWeek: days },
      fits: ({ weekday }) => days.includes(weekday),
    },
    now,
  )
  return draft
}

/** `mon`, `Monday`; none means every day. */
function toDays(given: readonly unknown[]): (typeof WEEK)[number][] {
  if (given.length === 0) return [...WEEK]
  const starts = new Set(given.map((day) => toPlainText(day).slice(0, 3).toUpperCase()))
  return WEEK.filter((day) => starts.has(day.slice(0, 3)))
}
