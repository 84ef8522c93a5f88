// Past maintenance windows. Pure.
import type { Row } from '../history/whole-sets.ts'
import { between, uuidAt } from './chance.ts'
import type { DemoMonitor } from './past.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const NAMES = ['Kernel updates', 'Certificate renewal', 'Data center migration']

export type PastWindow = {
  uuid: string
  name: string
  from: Date
  to: Date
  monitors: DemoMonitor[]
}

/** Each covers a few of the machines. */
export function listPastWindows(monitors: readonly DemoMonitor[], now: Date): PastWindow[] {
  const machines = monitors.filter(({ type }) => type === 'PING' || type === 'PORT').slice(0, 4)
  return NAMES.map((name, index) => {
    const ago = (6 + index * 23) * DAY_MS + between(name, 0, 600) * MINUTE_MS
    const from = new Date(now.getTime() - ago)
    const to = new Date(from.getTime() + (1 + index) * HOUR_MS)
    return { uuid: uuidAt(from, name), name, from, to, monitors: machines }
  })
}

export function windowRows(orgId: string, windows: readonly PastWindow[]): Row[] {
  return windows.map(({ uuid, name, from, to }) => ({
    id: uuid,
    org_id: orgId,
    name,
    starts_at: from,
    ends_at: to,
    timezone: 'Europe/Berlin',
    all_monitors: false,
    on_named_pages: false,
    show_on_status_pages: true,
    notify_subscribers: false,
    counts_from: from,
    started: true,
    covered: true,
    created_at: new Date(from.getTime() - 3 * DAY_MS),
    updated_at: to,
  }))
}

export function windowMonitorRows(orgId: string, windows: readonly PastWindow[]): Row[] {
  return windows.flatMap(({ uuid, monitors }) =>
    monitors.map((monitor, position) => ({
      org_id: orgId,
      window_id: uuid,
      monitor_id: monitor.uuid,
      position,
    })),
  )
}

export function windowSpanRows(windows: readonly PastWindow[]): Row[] {
  return windows.flatMap(({ uuid, from, to, monitors }) =>
    monitors.map(({ no }) => ({
      monitor_no: no,
      started_at: from,
      ended_at: to,
      window_id: uuid,
    })),
  )
}
