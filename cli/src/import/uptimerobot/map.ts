// Everything that UptimeRobot has, as a file of Upvane.
import { Collector, type Imported } from '../common/collector.ts'
import { DomainMonitors } from '../common/domain-monitor.ts'
import { ItemDraft } from '../common/draft.ts'
import { dropAll, setName } from '../common/limits.ts'
import type { MapOptions } from '../common/options.ts'
import { reportUnread, WatchedRow } from '../common/settings.ts'
import { setCustomDomain, setPageUrl, setSections, setSlug } from '../common/status-page.ts'
import { TagBook } from '../common/tags.ts'
import {
  flagOf,
  isRow,
  listOf,
  rowsOf,
  type SourceRow,
  textOf,
  toPlainText,
} from '../common/values.ts'
import { draftMonitor } from './map-monitor.ts'
import { draftWindow } from './map-window.ts'
import type { RobotData } from './read.ts'
import { MONITOR_RULES, PAGE_RULES, WINDOW_RULES } from './settings.ts'

export function mapRobot(data: RobotData, options: MapOptions): Imported {
  const out = new Collector('uptimerobot')
  out.announce('monitor', data.monitors.length)
  out.announce('maintenance window', data.maintenanceWindows.length)
  out.announce('status page', data.pages.length)
  out.announce('contact', data.contacts.length)
  const keys = addMonitors(out, data.monitors)
  const covered = coveredBy(data.monitors, keys)
  for (const row of data.maintenanceWindows) {
    const item = {
      kind: 'maintenance window' as const,
      id: textOf(row, 'id'),
      name: textOf(row, 'name'),
    }
    const watched = new WatchedRow(row)
    const named = listOf(watched.row['monitorIds']).flatMap((id) => keys.get(toPlainText(id)) ?? [])
    const monitors = [...new Set([...(covered.get(item.id) ?? []), ...named])]
    const draft = draftWindow(watched.row, monitors, options)
    reportUnread(draft, watched, WINDOW_RULES)
    out.add('maintenanceWindows', item, draft)
  }
  for (const row of data.pages) addPage(out, row, keys)
  for (const row of data.contacts)
    out.refuse(
      { kind: 'contact', id: textOf(row, 'id'), name: textOf(row, 'friendlyName', 'value') },
      'UptimeRobot does not give out what its contacts need. Create it in Upvane.',
    )
  return out.finish()
}

/** Returns the keys of the file by ids of UptimeRobot. */
function addMonitors(out: Collector, monitors: readonly SourceRow[]): Map<string, string> {
  const keys = new Map<string, string>()
  const tags = new TagBook(out)
  const domains = new DomainMonitors()
  for (const given of monitors) {
    const watched = new WatchedRow(given)
    const { row } = watched
    const id = textOf(row, 'id')
    const name = textOf(row, 'friendlyName')
    const draft = draftMonitor(row)
    const url = textOf(row, 'url')
    const reminds = flagOf(row, 'domainExpirationReminder') === true
    if (draft.refusal === undefined) {
      tags.set(draft, tagNames(row))
      if (listOf(row['assignedAlertContacts']).length > 0)
        draft.drop(
          'assignedAlertContacts',
          `${listOf(row['assignedAlertContacts']).length} contacts`,
          'Attach contacts in Upvane.',
        )
    }
    reportUnread(draft, watched, MONITOR_RULES)
    const key = out.add('monitors', { kind: 'monitor', id, name }, draft)
    if (key === undefined) continue
    keys.set(id, key)
    if (reminds) domains.add(url, { monitor: draft.fields })
    if (draft.fields['type'] === 'CRON')
      out.moveHeartbeat({ monitor: key, name, token: '', oldUrl: url })
  }
  domains.addTo(out)
  return keys
}

function tagNames(row: SourceRow): string[] {
  return listOf(row['tags']).map((tag) => (isRow(tag) ? textOf(tag, 'name') : toPlainText(tag)))
}

/** Each monitor says which windows cover it. */
function coveredBy(
  monitors: readonly SourceRow[],
  keys: ReadonlyMap<string, string>,
): Map<string, string[]> {
  const covered = new Map<string, string[]>()
  for (const row of monitors) {
    const key = keys.get(textOf(row, 'id'))
    if (key === undefined) continue
    for (const window of rowsOf(row['maintenanceWindows'])) {
      const id = textOf(window, 'id')
      const known = covered.get(id)
      if (known === undefined) covered.set(id, [key])
      else known.push(key)
    }
  }
  return covered
}

function addPage(out: Collector, given: SourceRow, keys: ReadonlyMap<string, string>): void {
  const watched = new WatchedRow(given)
  const { row } = watched
  const draft = new ItemDraft()
  const name = textOf(row, 'friendlyName')
  setName(draft, name)
  setSlug(draft, textOf(row, 'urlKey').toLowerCase())
  setCustomDomain(draft, textOf(row, 'customDomain'))
  setPageUrl(draft, 'homepageUrl', textOf(row, 'homepageLink'))
  if (/paused/i.test(textOf(row, 'status'))) draft.set('published', false)
  if (flagOf(row, 'noIndex') === true) draft.set('allowIndexing', false)
  if (flagOf(row, 'subscription') === false) draft.set('subscribersEnabled', false)
  if (textOf(row, 'logo').startsWith('https:')) setPageUrl(draft, 'logoUrl', textOf(row, 'logo'))
  else
    dropAll(draft, { logo: textOf(row, 'logo') }, 'Give the https:// address of a logo in Upvane.')
  const ids = listOf(row['monitorIds']).map(toPlainText)
  const components = ids.flatMap((id) => {
    const monitor = keys.get(id)
    return monitor === undefined ? [] : [{ monitor }]
  })
  if (components.length < ids.length)
    draft.drop(
      'monitors',
      `${ids.length - components.length} monitors`,
      'They were not taken themselves.',
    )
  setSections(draft, [{ name: '', components }])
  if (flagOf(row, 'isPasswordSet') === true)
    draft.drop('password', 'a password', 'A password cannot be read back. Set one in Upvane.')
  reportUnread(draft, watched, PAGE_RULES)
  out.add('statusPages', { kind: 'status page', id: textOf(row, 'id'), name }, draft)
}
