// Everything that Better Stack has, as a file of Upvane.
import { Collector, type Imported } from '../common/collector.ts'
import { DomainMonitors } from '../common/domain-monitor.ts'
import { ItemDraft } from '../common/draft.ts'
import { setName, setNumber } from '../common/limits.ts'
import type { MapOptions } from '../common/options.ts'
import { reportUnread, WatchedRow } from '../common/settings.ts'
import {
  type ImportedComponent,
  setCustomDomain,
  setHistoryDays,
  setPageUrl,
  setSections,
  setSlug,
  setSupportUrl,
} from '../common/status-page.ts'
import { toZone } from '../common/time-zones.ts'
import { flagOf, numberOf, type SourceRow, textOf } from '../common/values.ts'
import { draftMonitor, isPaused } from './map-monitor.ts'
import { SharedWindows } from './map-windows.ts'
import type { StackData, StackEntry } from './read.ts'
import { HEARTBEAT_RULES, MONITOR_RULES, PAGE_RULES, RESOURCE_RULES } from './settings.ts'

/** Keys of the file, by what a resource of a page names. */
type Keys = Map<string, string>

export function mapStack(data: StackData, options: MapOptions): Imported {
  const out = new Collector('betterstack')
  out.announce('monitor', data.monitors.length)
  out.announce('heartbeat', data.heartbeats.length)
  out.announce('status page', data.pages.length)
  out.announce('incident', data.reports.length)
  const keys: Keys = new Map()
  addMonitors(out, data.monitors, keys, options)
  for (const entry of data.heartbeats) addHeartbeat(out, entry, keys)
  for (const page of data.pages) addPage(out, page, data, keys)
  for (const { id, attributes } of data.reports)
    out.refuse(
      { kind: 'incident', id, name: textOf(attributes, 'title') },
      'The file has no published incidents. The old page keeps its history.',
    )
  return out.finish()
}

function addMonitors(
  out: Collector,
  monitors: readonly StackEntry[],
  keys: Keys,
  { nearest, now }: MapOptions,
): void {
  const domains = new DomainMonitors()
  const windows = new SharedWindows()
  for (const { id, attributes } of monitors) {
    const watched = new WatchedRow(attributes)
    const { row } = watched
    const draft = draftMonitor(row, nearest)
    const cover = windows.read(draft, row)
    const name = textOf(row, 'pronounceable_name')
    const days = numberOf(row, 'domain_expiration') ?? -1
    reportUnread(draft, watched, MONITOR_RULES)
    const key = out.add('monitors', { kind: 'monitor', id, name }, draft)
    if (key === undefined) continue
    keys.set(`Monitor ${id}`, key)
    cover(key)
    if (days > 0) domains.add(textOf(row, 'url'), { monitor: draft.fields, days })
  }
  domains.addTo(out)
  windows.addTo(out, now)
}

function addHeartbeat(out: Collector, { id, attributes }: StackEntry, keys: Keys): void {
  const watched = new WatchedRow(attributes)
  const { row } = watched
  const draft = new ItemDraft()
  const name = textOf(row, 'name')
  setName(draft, name)
  draft.set('type', 'CRON')
  setNumber(draft, 'expectedPeriodSec', numberOf(row, 'period'))
  setNumber(draft, 'graceSeconds', numberOf(row, 'grace'))
  if (isPaused(row)) draft.set('paused', true)
  const oldUrl = textOf(row, 'url')
  reportUnread(draft, watched, HEARTBEAT_RULES)
  const key = out.add('monitors', { kind: 'heartbeat', id, name }, draft)
  if (key === undefined) return
  keys.set(`Heartbeat ${id}`, key)
  out.moveHeartbeat({ monitor: key, name, token: '', oldUrl })
}

function addPage(
  out: Collector,
  { id, attributes }: StackEntry,
  data: StackData,
  keys: Keys,
): void {
  const watched = new WatchedRow(attributes)
  const { row } = watched
  const draft = new ItemDraft()
  const name = textOf(row, 'company_name')
  setName(draft, name)
  setSlug(draft, textOf(row, 'subdomain'))
  setCustomDomain(draft, textOf(row, 'custom_domain'))
  setPageUrl(draft, 'homepageUrl', textOf(row, 'company_url'))
  setPageUrl(draft, 'logoUrl', textOf(row, 'logo_remote_url') || textOf(row, 'logo_url'))
  setSupportUrl(draft, 'contact_url', textOf(row, 'contact_url'))
  const zone = toZone(textOf(row, 'timezone') || 'UTC')
  if (zone === undefined)
    draft.change('timezone', textOf(row, 'timezone'), 'UTC', 'It is not known.')
  draft.set('timezone', zone ?? 'UTC')
  const theme = textOf(row, 'theme')
  draft.set('theme', theme === 'dark' ? 'DARK' : theme === 'light' ? 'LIGHT' : 'SYSTEM')
  if (flagOf(row, 'hide_from_search_engines') === true) draft.set('allowIndexing', false)
  if (flagOf(row, 'subscribable') === false) draft.set('subscribersEnabled', false)
  setSections(draft, sectionsOf(draft, id, data, keys))
  if (flagOf(row, 'password_enabled') === true)
    draft.drop('password', 'a password', 'A password cannot be read back. Set one in Upvane.')
  const days = numberOf(row, 'history')
  if (days !== undefined) setHistoryDays(draft, days)
  if (flagOf(row, 'published') === false) draft.set('published', false)
  reportUnread(draft, watched, PAGE_RULES)
  out.add('statusPages', { kind: 'status page', id, name }, draft)
}

const byPosition = (a: StackEntry, b: StackEntry): number =>
  (numberOf(a.attributes, 'position') ?? 0) - (numberOf(b.attributes, 'position') ?? 0)

/** Sections name their page only if the importer asked for them itself, or if there are several pages. */
function sectionsOf(draft: ItemDraft, pageId: string, data: StackData, keys: Keys) {
  const isOfPage = ({ attributes }: StackEntry): boolean => {
    const named = textOf(attributes, 'status_page_id')
    return named === '' ? data.pages.length === 1 : named === pageId
  }
  const resources = data.resources.filter(isOfPage).toSorted(byPosition)
  return data.sections
    .filter(isOfPage)
    .toSorted(byPosition)
    .map(({ id, attributes }) => ({
      name: textOf(attributes, 'name'),
      components: resources
        .filter((one) => textOf(one.attributes, 'status_page_section_id') === id)
        .flatMap((one) => toComponent(draft, one.attributes, keys)),
    }))
}

/** A resource without a monitor becomes a component that is set by hand. */
function toComponent(draft: ItemDraft, given: SourceRow, keys: Keys): ImportedComponent[] {
  const watched = new WatchedRow(given)
  const { row } = watched
  const name = textOf(row, 'public_name')
  const description = textOf(row, 'explanation')
  const type = textOf(row, 'resource_type')
  const monitor = keys.get(`${type} ${textOf(row, 'resource_id')}`)
  reportUnread(draft, watched, RESOURCE_RULES, `resource ${name}`)
  if (monitor !== undefined) return [{ name, description, monitor }]
  draft.change('resources', name, 'set by hand', 'What it shows was not taken, or is no monitor.')
  return [{ name, description, manualState: 'OPERATIONAL' }]
}
