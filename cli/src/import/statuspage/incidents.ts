// Incidents of Statuspage that are over, with their updates, for "upv import incidents".
import type { Collector } from '../common/collector.ts'
import { ItemDraft } from '../common/draft.ts'
import type {
  AffectedState,
  PastIncident,
  PastUpdate,
  UpdateStatus,
} from '../common/past-incident.ts'
import { reportUnread, WatchedRow } from '../common/settings.ts'
import { rowsOf, type SourceRow, textOf } from '../common/values.ts'
import { INCIDENT_RULES, UPDATE_RULES } from './settings.ts'

const MAX_TITLE = 200
const MAX_MESSAGE = 10_000
const MAX_UPDATES = 500

const IMPACTS: ReadonlyMap<string, PastIncident['impact']> = new Map([
  ['none', 'NONE'],
  ['minor', 'MINOR'],
  ['major', 'MAJOR'],
  ['critical', 'CRITICAL'],
])
const STATUSES: ReadonlyMap<string, UpdateStatus> = new Map([
  ['investigating', 'INVESTIGATING'],
  ['identified', 'IDENTIFIED'],
  ['monitoring', 'MONITORING'],
  ['resolved', 'RESOLVED'],
  // What was learned afterward is one more update.
  ['postmortem', 'RESOLVED'],
])
const STATES: ReadonlyMap<string, AffectedState> = new Map([
  ['operational', 'OPERATIONAL'],
  ['degraded_performance', 'DEGRADED'],
  ['partial_outage', 'PARTIAL_OUTAGE'],
  ['major_outage', 'MAJOR_OUTAGE'],
])

export function addIncidents(out: Collector, rows: readonly SourceRow[], page: string, now: Date) {
  for (const row of rows) {
    const item = { kind: 'incident' as const, id: textOf(row, 'id'), name: textOf(row, 'name') }
    const why = page === '' ? 'Its page was not taken.' : whyNot(row, now)
    if (why !== undefined) {
      out.refuse(item, why)
      continue
    }
    const draft = new ItemDraft()
    const past = toPastIncident(row, page, draft)
    if (past === undefined) out.refuse(item, 'It does not say when it began.')
    else out.addPastIncident(item, past, draft.changes)
  }
}

function whyNot(row: SourceRow, now: Date): string | undefined {
  if (textOf(row, 'scheduled_for') !== '')
    return new Date(textOf(row, 'scheduled_until')) > now
      ? 'A window covers monitors, and this page has none. Plan it in Upvane.'
      : 'It was maintenance, and it is over.'
  if (STATUSES.get(textOf(row, 'status')) === 'RESOLVED') return undefined
  return 'It is not resolved. Publish it in Upvane as long as it lasts.'
}

function toPastIncident(
  given: SourceRow,
  page: string,
  draft: ItemDraft,
): PastIncident | undefined {
  const watched = new WatchedRow(given)
  const { row } = watched
  const all = rowsOf(row['incident_updates'])
    .map((update) => toUpdate(update, draft))
    .filter((update) => update !== undefined)
    .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))
  const updates = all.slice(0, MAX_UPDATES)
  if (updates.length < all.length)
    draft.change(
      'incident_updates',
      all.length,
      MAX_UPDATES,
      'An incident has at most 500 updates.',
    )
  const startedAt = timeOf(row, 'started_at', 'created_at') ?? updates[0]?.createdAt
  const impact = IMPACTS.get(textOf(row, 'impact'))
  if (impact === undefined)
    draft.change('impact', textOf(row, 'impact'), 'MINOR', 'It is not known.')
  const resolvedAt = timeOf(row, 'resolved_at') ?? updates.at(-1)?.createdAt ?? startedAt
  // An update says the same with its time.
  watched.skip('postmortem_body', 'components', 'incident_updates')
  const title = cut(draft, 'name', textOf(row, 'name') || 'Incident', MAX_TITLE)
  reportUnread(draft, watched, INCIDENT_RULES)
  if (startedAt === undefined || resolvedAt === undefined) return undefined
  return { page, title, impact: impact ?? 'MINOR', startedAt, resolvedAt, updates }
}

function toUpdate(given: SourceRow, draft: ItemDraft): PastUpdate | undefined {
  const watched = new WatchedRow(given)
  const { row } = watched
  const createdAt = timeOf(row, 'display_at', 'created_at')
  const message = cut(draft, 'body', textOf(row, 'body'), MAX_MESSAGE)
  const status = STATUSES.get(textOf(row, 'status'))
  const components = rowsOf(row['affected_components']).flatMap((each) => {
    const state = STATES.get(textOf(each, 'new_status'))
    // "Group - Component" in some answers, so only the end counts.
    const name = textOf(each, 'name').split(' - ').at(-1) ?? ''
    return state === undefined || name === '' ? [] : [{ name, state }]
  })
  reportUnread(draft, watched, UPDATE_RULES, 'incident_updates')
  if (createdAt === undefined || message === '' || status === undefined) {
    draft.drop(
      'incident_updates',
      message || status || 'an update',
      'It has no text, status or time.',
    )
    return undefined
  }
  return { status, message, createdAt, components }
}

function timeOf(row: SourceRow, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const at = new Date(textOf(row, name))
    if (!Number.isNaN(at.getTime())) return at.toISOString()
  }
  return undefined
}

function cut(draft: ItemDraft, field: string, given: string, max: number): string {
  const text = [...given.replaceAll('\0', '')].slice(0, max).join('')
  if (text !== given)
    draft.change(field, `${[...given].length} characters`, `${max}`, 'It is too long.')
  return text
}
