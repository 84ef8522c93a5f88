// Reads what the API of UptimeRobot answers (version 3), one list or several in one object, and the CSV of its
// dashboard.
import { CommandError } from '../../command.ts'
import { readCsv } from '../common/csv.ts'
import { WatchedRow } from '../common/settings.ts'
import { exactTextOf, isRow, rowsOf, type SourceRow, textOf } from '../common/values.ts'

export type RobotData = {
  monitors: readonly SourceRow[]
  maintenanceWindows: readonly SourceRow[]
  pages: readonly SourceRow[]
  contacts: readonly SourceRow[]
}

// The names of the columns are within it.
const MAX_HEAD = 1000
const CSV_TYPES: ReadonlyMap<string, string> = new Map([
  ['http(s)', 'HTTP'],
  ['http', 'HTTP'],
  ['https', 'HTTP'],
  ['keyword', 'KEYWORD'],
  ['ping', 'PING'],
  ['port', 'PORT'],
  ['heartbeat', 'HEARTBEAT'],
])

const SECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
])

/** `{monitors, maintenanceWindows, psps}`, or the answer with monitors alone. */
export function readRobotJson(path: string, json: unknown): RobotData {
  if (isOfVersion2(json))
    throw new CommandError(
      1,
      `${path} is an answer of UptimeRobot's API version 2. Ask version 3: GET https://api.uptimerobot.com/v3/monitors, or use --api.`,
    )
  const monitors =
    listIn(json, 'monitors') ?? listIn(json, 'data') ?? (Array.isArray(json) ? json : undefined)
  if (monitors === undefined)
    throw new CommandError(
      1,
      `${path} is no answer of UptimeRobot: it has no list "monitors" or "data".`,
    )
  return {
    monitors: rowsOf(monitors),
    maintenanceWindows: rowsOf(listIn(json, 'maintenanceWindows') ?? []),
    pages: rowsOf(listIn(json, 'psps') ?? []),
    contacts: rowsOf(listIn(json, 'alertContacts') ?? []),
  }
}

/** It says `"stat": "ok"`, and its monitors have a `friendly_name`. */
function isOfVersion2(json: unknown): boolean {
  if (!isRow(json)) return false
  const [first] = listIn(json, 'monitors') ?? []
  return typeof json['stat'] === 'string' || (isRow(first) && 'friendly_name' in first)
}

/** A list, or an answer that has it in "data". */
function listIn(json: unknown, name: string): readonly unknown[] | undefined {
  if (!isRow(json)) return undefined
  const value = json[name]
  if (Array.isArray(value)) return value
  return isRow(value) && Array.isArray(value['data']) ? value['data'] : undefined
}

export function readRobotCsv(path: string, text: string): RobotData {
  const lines = readCsv(path, text)
  if (!/friendly name/i.test(text.slice(0, MAX_HEAD)))
    throw new CommandError(
      1,
      `${path} is not the CSV of UptimeRobot: it has no column "Friendly Name".`,
    )
  return { monitors: lines.map(fromCsv), maintenanceWindows: [], pages: [], contacts: [] }
}

/** Columns that are not known here keep their names, so that the report has them. */
function fromCsv(line: SourceRow): SourceRow {
  const watched = new WatchedRow(line)
  const { row } = watched
  const type = textOf(row, 'type').toLowerCase()
  const monitor = {
    id: textOf(row, 'id'),
    type: CSV_TYPES.get(type) ?? type.toUpperCase(),
    status: textOf(row, 'status').toUpperCase(),
    friendlyName: textOf(row, 'friendly name'),
    url: textOf(row, 'url/ip'),
    port: textOf(row, 'port'),
    keywordType: toKeywordType(textOf(row, 'keyword type')),
    keywordValue: exactTextOf(row, 'keyword value'),
    tags: textOf(row, 'tags')
      .split(',')
      .map((tag) => tag.trim()),
    interval: intervalOf(watched),
  }
  return { ...Object.fromEntries(watched.unread()), ...monitor }
}

/** `Monitoring Interval`, in seconds unless the column or its cell says otherwise: `5 min`. */
function intervalOf(watched: WatchedRow): number | undefined {
  for (const [column, cell] of watched.unread()) {
    if (!column.includes('interval') || typeof cell !== 'string') continue
    const [number = '', unit = ''] = cell.trim().toLowerCase().split(' ', 2)
    const value = Number(number)
    if (number === '' || !(value > 0)) continue
    watched.skip(column)
    const word = unit || (column.includes('min') ? 'm' : 's')
    return value * (SECONDS.get(word.charAt(0)) ?? 1)
  }
  return undefined
}

/** The dashboard writes `Exists` and `Not Exists`. */
function toKeywordType(text: string): string {
  const words = text.toLowerCase().replaceAll(/[\s_]+/g, ' ')
  if (words === '') return ''
  return words.includes('not') ? 'ALERT_NOT_EXISTS' : 'ALERT_EXISTS'
}
