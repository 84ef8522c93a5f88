// Published incidents of another tool that are over. The file that "upv import" makes, and "upv import incidents" reads.
import { CommandError } from '../../command.ts'
import { isRow, rowsOf, type SourceRow, textOf } from './values.ts'

const STATUSES = ['INVESTIGATING', 'IDENTIFIED', 'MONITORING', 'RESOLVED'] as const
const IMPACTS = ['NONE', 'MINOR', 'MAJOR', 'CRITICAL'] as const
const STATES = ['OPERATIONAL', 'DEGRADED', 'PARTIAL_OUTAGE', 'MAJOR_OUTAGE'] as const

export type UpdateStatus = (typeof STATUSES)[number]
export type AffectedState = (typeof STATES)[number]

export type PastUpdate = {
  status: UpdateStatus
  message: string
  createdAt: string
  components: readonly { name: string; state: AffectedState }[]
}

export type PastIncident = {
  /** The key of its status page in upvane.yaml. */
  page: string
  title: string
  impact: (typeof IMPACTS)[number]
  startedAt: string
  resolvedAt: string
  /** The oldest first. */
  updates: readonly PastUpdate[]
}

export const toIncidentsFile = (incidents: readonly PastIncident[]): string =>
  `${JSON.stringify({ incidents }, null, 2)}\n`

export function readIncidentsFile(path: string, json: unknown): PastIncident[] {
  if (!isRow(json) || !Array.isArray(json['incidents']))
    throw new CommandError(1, `${path} is not a list of incidents that "upv import" has made.`)
  return rowsOf(json['incidents']).map((row) => ({
    page: textOf(row, 'page'),
    title: textOf(row, 'title'),
    impact: oneOf(IMPACTS, row, 'impact', path),
    startedAt: textOf(row, 'startedAt'),
    resolvedAt: textOf(row, 'resolvedAt'),
    updates: rowsOf(row['updates']).map((update) => ({
      status: oneOf(STATUSES, update, 'status', path),
      message: textOf(update, 'message'),
      createdAt: textOf(update, 'createdAt'),
      components: rowsOf(update['components']).map((each) => ({
        name: textOf(each, 'name'),
        state: oneOf(STATES, each, 'state', path),
      })),
    })),
  }))
}

function oneOf<Value extends string>(
  values: readonly Value[],
  row: SourceRow,
  name: string,
  path: string,
): Value {
  const value = values.find((each) => each === row[name])
  if (value !== undefined) return value
  throw new CommandError(1, `${path}: ${name} must be one of ${values.join(', ')}.`)
}
