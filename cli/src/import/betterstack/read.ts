// Reads answers of the API of Better Stack (version 2). Each entry says what it is, so lists may be mixed.
import { CommandError } from '../../command.ts'
import { isRow, listOf, type SourceRow, textOf, toRow } from '../common/values.ts'

export type StackEntry = { id: string; attributes: SourceRow }
export type StackData = {
  monitors: StackEntry[]
  heartbeats: StackEntry[]
  pages: StackEntry[]
  sections: StackEntry[]
  resources: StackEntry[]
  reports: StackEntry[]
}

const LISTS: ReadonlyMap<string, keyof StackData> = new Map([
  ['monitor', 'monitors'],
  ['heartbeat', 'heartbeats'],
  ['status_page', 'pages'],
  ['status_page_section', 'sections'],
  ['status_page_resource', 'resources'],
  ['status_report', 'reports'],
])

/** `{data: […]}`, a list of such answers, or an object whose values are such answers. */
export function readStack(path: string, json: unknown): StackData {
  const data: StackData = {
    monitors: [],
    heartbeats: [],
    pages: [],
    sections: [],
    resources: [],
    reports: [],
  }
  const entries = entriesIn(json)
  for (const entry of entries) {
    const list = LISTS.get(textOf(entry, 'type'))
    if (list === undefined)
      throw new CommandError(
        1,
        `${path} has an entry of type "${textOf(entry, 'type').slice(0, 40)}", which Better Stack does not have.`,
      )
    data[list].push({ id: textOf(entry, 'id'), attributes: toRow(entry['attributes']) })
  }
  if (entries.length === 0)
    throw new CommandError(1, `${path} is no answer of Better Stack: it has no entries in "data".`)
  return data
}

function entriesIn(json: unknown): SourceRow[] {
  if (Array.isArray(json)) return json.flatMap((each) => (isEntry(each) ? [each] : entriesIn(each)))
  if (!isRow(json)) return []
  if (isEntry(json)) return [json]
  if (isRow(json['data'])) return entriesIn([json['data']])
  if (Array.isArray(json['data'])) return listOf(json['data']).map(toRow)
  return Object.values(json).flatMap((each) => (typeof each === 'object' ? entriesIn(each) : []))
}

const isEntry = (value: unknown): value is SourceRow =>
  isRow(value) && typeof value['type'] === 'string' && isRow(value['attributes'])
