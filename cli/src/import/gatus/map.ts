// Everything in a configuration of Gatus, as a file of Upvane.
import { Collector, type Imported } from '../common/collector.ts'
import { DomainMonitors } from '../common/domain-monitor.ts'
import { ItemDraft } from '../common/draft.ts'
import { setName, setNumber } from '../common/limits.ts'
import type { MapOptions } from '../common/options.ts'
import { reportUnread, WatchedRow } from '../common/settings.ts'
import { TagBook } from '../common/tags.ts'
import { flagOf, rowsOf, type SourceRow, textOf, toPlainText, toRow } from '../common/values.ts'
import { setMonitors, setRepeating, WEEK } from '../common/windows.ts'
import { isZone } from '../common/zoned-time.ts'
import { toSeconds } from './duration.ts'
import { addAlerting } from './map-alerting.ts'
import { draftEndpoint } from './map-endpoint.ts'
import { ALERT_RULES, ENDPOINT_RULES, EXTERNAL_RULES } from './settings.ts'

const DEFAULT_HEARTBEAT = 3600
const MAX_ALERTS = 20

export function mapGatus(config: SourceRow, options: MapOptions): Imported {
  const out = new Collector('gatus', 'gatus')
  const endpoints = rowsOf(config['endpoints'])
  const external = rowsOf(config['external-endpoints'])
  const suites = rowsOf(config['suites'])
  out.announce('monitor', endpoints.length + suites.length)
  out.announce('heartbeat', external.length)
  const contacts = addAlerting(out, toRow(config['alerting']))
  const tags = new TagBook(out)
  const domains = new DomainMonitors()
  for (const given of endpoints) {
    const watched = new WatchedRow(given)
    const { row } = watched
    const { draft, domainHours } = draftEndpoint(row, options.nearest)
    finish(draft, row, tags, contacts)
    reportUnread(draft, watched, ENDPOINT_RULES)
    const key = out.add('monitors', { kind: 'monitor', ...identity(row) }, draft)
    if (key !== undefined && domainHours !== undefined)
      domains.add(textOf(row, 'url'), { monitor: draft.fields, days: domainHours / 24 })
  }
  domains.addTo(out)
  for (const row of external) addExternal(out, row, (draft) => finish(draft, row, tags, contacts))
  for (const row of suites)
    out.refuse({ kind: 'monitor', ...identity(row) }, 'Upvane has no checks of several steps.')
  addMaintenance(out, config['maintenance'], options)
  addAnnouncements(out, rowsOf(config['announcements']))
  return out.finish()
}

function addAnnouncements(out: Collector, announcements: readonly SourceRow[]): void {
  out.announce('incident', announcements.length)
  for (const row of announcements)
    out.refuse(
      { kind: 'incident', id: textOf(row, 'timestamp'), name: textOf(row, 'message') },
      'An announcement is not an incident of a page. Publish it in Upvane if it still holds.',
    )
}

/** Gatus knows an endpoint by its group and name. */
function identity(row: SourceRow): { id: string; name: string } {
  const name = textOf(row, 'name')
  return { id: `${textOf(row, 'group')}_${name}`, name }
}

function finish(
  draft: ItemDraft,
  row: SourceRow,
  tags: TagBook,
  contacts: ReadonlyMap<string, string>,
): void {
  if (draft.refusal !== undefined) return
  const group = textOf(row, 'group')
  if (group !== '') tags.set(draft, [group])
  const alerts = rowsOf(row['alerts']).filter((alert) => flagOf(alert, 'enabled') !== false)
  for (const given of alerts.slice(0, MAX_ALERTS)) reportAlert(draft, given)
  draft.set('contacts', [
    ...new Set(alerts.flatMap((alert) => contacts.get(textOf(alert, 'type')) ?? [])),
  ])
}

/** Gatus asks for three failures and two successes, if an alert says nothing. */
function reportAlert(draft: ItemDraft, given: SourceRow): void {
  const watched = new WatchedRow(given)
  watched.skip('type')
  reportUnread(draft, watched, ALERT_RULES, `alert ${textOf(given, 'type').slice(0, 40)}`)
}

function addExternal(out: Collector, given: SourceRow, complete: (draft: ItemDraft) => void): void {
  const watched = new WatchedRow(given)
  const { row } = watched
  const draft = new ItemDraft()
  const { id, name } = identity(row)
  setName(draft, name)
  draft.set('type', 'CRON')
  const every = toSeconds(textOf(toRow(row['heartbeat']), 'interval'))
  if (every === undefined || every === 0)
    draft.change(
      'heartbeat',
      'no interval',
      DEFAULT_HEARTBEAT,
      'Upvane expects pings in a period. Choose one.',
    )
  setNumber(draft, 'expectedPeriodSec', every || DEFAULT_HEARTBEAT)
  if (flagOf(row, 'enabled') === false) draft.set('paused', true)
  complete(draft)
  watched.skip('alerts', 'group')
  reportUnread(draft, watched, EXTERNAL_RULES)
  const key = out.add('monitors', { kind: 'heartbeat', id, name }, draft)
  if (key === undefined) return
  const oldUrl = `/api/v1/endpoints/${encodeURIComponent(id)}/external`
  out.moveHeartbeat({ monitor: key, name, token: '', oldUrl })
}

function addMaintenance(out: Collector, given: unknown, { now, timezone }: MapOptions): void {
  const row = toRow(given)
  const from = textOf(row, 'start')
  if (from === '') return
  out.announce('maintenance window', 1)
  const draft = new ItemDraft()
  const every = new Set(rowsOf(row['every']).length > 0 ? toDayNames(row['every']) : WEEK)
  const daysOfWeek = WEEK.filter((day) => every.has(day))
  setName(draft, 'Maintenance')
  setMonitors(draft, [], true)
  if (flagOf(row, 'enabled') === false) draft.refuse('It is switched off.')
  const own = textOf(row, 'timezone')
  const zone = isZone(own) ? own : timezone
  const minutes = (toSeconds(textOf(row, 'duration')) ?? 0) / 60
  const recurrence = { frequency: 'WEEKLY', daysOfWeek }
  const fits = ({ weekday }: { weekday: (typeof WEEK)[number] }) => every.has(weekday)
  setRepeating(draft, { zone, from, minutes, recurrence, fits }, now)
  out.add(
    'maintenanceWindows',
    { kind: 'maintenance window', id: 'maintenance', name: 'maintenance' },
    draft,
  )
}

function toDayNames(given: unknown): (typeof WEEK)[number][] {
  const names = new Set(
    (Array.isArray(given) ? given : []).map((day) => toPlainText(day).toUpperCase()),
  )
  return WEEK.filter((day) => names.has(day))
}
