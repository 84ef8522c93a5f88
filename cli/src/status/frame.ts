// What `upv status` shows. Pure: the size of the terminal and the time are arguments.
import type { Ext } from '@upvane/sdk'
import { formatAgo, formatSeconds, formatTime } from '../terminal/format.ts'
import { type Cell, toTable } from '../terminal/table.ts'
import { clean, type Style } from '../terminal/text.ts'
import { cut } from '../terminal/width.ts'

export type Snapshot = {
  overview: Ext.Overview
  /** Names of monitors that are DEGRADED, at most twenty. */
  degraded: readonly string[]
  /** When it was read, by the clock of this machine. */
  readAt: Date
}

export type Connection = { lostAt: Date; reason: string } | null

type FrameOptions = {
  columns: number
  /** Lines of the terminal; Infinity to show everything. */
  rows: number
  now: Date
  paint: (style: Style, text: string) => string
}

const MAX_INCIDENTS = 50
const CUT_NOTE_LINES = 1

/** Lines without the state of the connection. */
export function toStatusLines(snapshot: Snapshot, options: FrameOptions): string[] {
  const { columns, paint } = options
  const { overview, degraded } = snapshot
  const slow =
    degraded.length === 0
      ? []
      : ['', paint('yellow', cut(`Degraded: ${degraded.map(clean).join(', ')}`, columns))]
  return [
    countsLine(overview, options),
    ...slow,
    ...incidents(overview, options),
    ...windows(overview, options),
  ]
}

function countsLine({ monitors }: Ext.Overview, { columns, paint }: FrameOptions): string {
  const parts: [count: number, word: string, style: Style][] = [
    [monitors.DOWN, 'down', 'red'],
    [monitors.DEGRADED, 'degraded', 'yellow'],
    [monitors.UP, 'up', 'green'],
    [monitors.PENDING, 'pending', 'dim'],
    [monitors.PAUSED, 'paused', 'dim'],
  ]
  const plain = parts.map(([count, word]) => `${count} ${word}`).join('  ')
  // Cutting would split the color codes.
  if (plain.length > columns) return cut(plain, columns)
  return parts
    .map(([count, word, style]) => (count > 0 ? paint(style, `${count} ${word}`) : `0 ${word}`))
    .join('  ')
}

function incidents({ incidents: found }: Ext.Overview, options: FrameOptions): string[] {
  if (found.ongoing === 0) return ['', cut('No open incidents.', options.columns)]
  const rows = found.latest
    .slice(0, MAX_INCIDENTS)
    .map((incident): Cell[] => [
      { text: incident.monitorName, style: incident.acknowledged ? 'yellow' : 'red' },
      incident.cause,
      formatAgo(incident.startedAt, options.now),
      incident.acknowledged ? 'yes' : 'no',
    ])
  const columns = [
    { title: 'INCIDENT', shrinksTo: 12 },
    { title: 'CAUSE', shrinksTo: 12 },
    { title: 'STARTED' },
    { title: 'ACK' },
  ]
  const more = found.ongoing - rows.length
  return [
    '',
    ...toTable(columns, rows, options.columns, options.paint),
    ...(more > 0 ? [cut(`and ${more} more`, options.columns)] : []),
  ]
}

function windows({ maintenanceWindows }: Ext.Overview, options: FrameOptions): string[] {
  const { now, next } = maintenanceWindows
  const rows = [
    ...now.map(({ name, endsAt }) => [name, `until ${formatTime(endsAt)}`]),
    ...next.slice(0, 3).map(({ name, startsAt }) => [name, `from ${formatTime(startsAt)}`]),
  ]
  if (rows.length === 0) return []
  const columns = [{ title: 'MAINTENANCE', shrinksTo: 12 }, { title: 'TIME' }]
  return ['', ...toTable(columns, rows, options.columns, options.paint)]
}

/** The whole screen of `--watch`: never more lines than the terminal has, and the connection always in view. */
export function toFrame(
  snapshot: Snapshot | null,
  connection: Connection,
  options: FrameOptions,
): string[] {
  const footer = toFooter(snapshot, connection, options)
  if (snapshot === null) return footer
  const lines = toStatusLines(snapshot, options)
  const room = Math.max(0, options.rows - footer.length - 1)
  if (lines.length <= room) return [...lines, '', ...footer]
  const shown = Math.max(0, room - CUT_NOTE_LINES)
  const hidden = lines.length - shown
  const missing = cut(`… ${hidden} lines do not fit`, options.columns)
  return [...lines.slice(0, shown), missing, '', ...footer]
}

function toFooter(
  snapshot: Snapshot | null,
  connection: Connection,
  { columns, now, paint }: FrameOptions,
): string[] {
  const since = (at: Date): string => formatSeconds((now.getTime() - at.getTime()) / 1000)
  if (connection === null) {
    const text = snapshot === null ? 'Connecting.' : `Updated ${since(snapshot.readAt)} ago.`
    return [paint('dim', cut(`${text} Ctrl-C ends.`, columns))]
  }
  const what =
    snapshot === null
      ? 'Nothing was read yet.'
      : `Showing data that is ${since(snapshot.readAt)} old.`
  return [
    paint('red', cut(`Connection lost ${since(connection.lostAt)} ago. ${what}`, columns)),
    paint('dim', cut(`Retrying: ${clean(connection.reason)}`, columns)),
  ]
}
