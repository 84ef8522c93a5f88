// Reads what the API of UptimeRobot answers (version 3), one list or several in one object, and the CSV of its
// dashboard.
import { CommandError } from '../../command.ts'
import { readCsv } from '../common/csv.ts'
import { isRow, rowsOf, type SourceRow, textOf } from '../common/values.ts'

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

/** `{monitors, maintenanceWindows, psps}`, or the answer with monitors alone. */
export function readRobotJson(path: string, json: unknown): RobotData {
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
  const monitors = lines.map((line) => {
    const type = textOf(line, 'type').toLowerCase()
    return {
      id: textOf(line, 'id'),
      type: CSV_TYPES.get(type) ?? type.toUpperCase(),
      status: textOf(line, 'status').toUpperCase(),
      friendlyName: textOf(line, 'friendly name'),
      url: textOf(line, 'url/ip'),
      port: textOf(line, 'port'),
      keywordType: toKeywordType(textOf(line, 'keyword type')),
      keywordValue: textOf(line, 'keyword value'),
    }
  })
  return { monitors, maintenanceWindows: [], pages: [], contacts: [] }
}

/** The dashboard writes `Exists` and `Not Exists`. */
function toKeywordType(text: string): string {
  const words = text.toLowerCase().replaceAll(/[\s_]+/g, ' ')
  if (words === '') return ''
  return words.includes('not') ? 'ALERT_NOT_EXISTS' : 'ALERT_EXISTS'
}
