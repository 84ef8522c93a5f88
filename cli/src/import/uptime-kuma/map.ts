// Everything that Uptime Kuma has, as a file of Upvane.
import { Collector, type HeartbeatMove, type Imported } from '../common/collector.ts'
import { DomainMonitors } from '../common/domain-monitor.ts'
import { ItemDraft } from '../common/draft.ts'
import { dropAll, setName, setText } from '../common/limits.ts'
import type { MapOptions } from '../common/options.ts'
import { reportUnread, WatchedRow } from '../common/settings.ts'
import { setCustomDomain, setPageUrl, setSections, setSlug } from '../common/status-page.ts'
import { TagBook } from '../common/tags.ts'
import { flagOf, listOf, type SourceRow, textOf } from '../common/values.ts'
import { isZone } from '../common/zoned-time.ts'
import type { KumaData, KumaPage } from './data.ts'
import { addNotification } from './map-contact.ts'
import { draftMonitor } from './map-monitor.ts'
import { addMaintenance } from './map-window.ts'
import { MONITOR_RULES, PAGE_RULES } from './settings.ts'

const DEFAULT_CERTIFICATE_DAYS = 21
const PUSH_TOKEN = /^[A-Za-z0-9_-]{1,64}$/
const THEMES: ReadonlyMap<string, string> = new Map([
  ['light', 'LIGHT'],
  ['dark', 'DARK'],
])
const MAX_TEXT = 2000

/** Keys of the file by ids of Uptime Kuma. */
type Keys = {
  monitors: Map<string, string>
  contacts: Map<string, string[]>
  pages: Map<string, string>
}

export function mapKuma(data: KumaData, options: MapOptions): Imported {
  const out = new Collector('uptime-kuma')
  out.announce('monitor', data.monitors.length)
  out.announce('contact', data.notifications.length)
  out.announce('tag', data.tags.length)
  out.announce('status page', data.pages.length)
  out.announce('maintenance window', data.maintenances.length)
  out.announce('incident', data.incidents.length)

  const keys: Keys = { monitors: new Map(), contacts: new Map(), pages: new Map() }
  for (const row of data.notifications)
    keys.contacts.set(textOf(row, 'id'), addNotification(out, row))
  addMonitors(out, data, options, keys)
  for (const page of data.pages) addPage(out, page, keys)
  const timezone = zoneOf(data, options)
  for (const { row, monitors, pages } of data.maintenances)
    addMaintenance(
      out,
      row,
      {
        monitors: monitors.flatMap((id) => keys.monitors.get(id) ?? []),
        pages: pages.flatMap((id) => keys.pages.get(id) ?? []),
      },
      { now: options.now, timezone },
    )
  for (const row of data.incidents)
    out.refuse(
      { kind: 'incident', id: textOf(row, 'id'), name: textOf(row, 'title') },
      'A pinned message has no history. Publish it in Upvane if it still holds.',
    )
  return out.finish()
}

function zoneOf({ settings }: KumaData, { timezone }: MapOptions): string {
  const own = settings.get('serverTimezone')
  return typeof own === 'string' && isZone(own) ? own : timezone
}

function addMonitors(out: Collector, data: KumaData, { nearest }: MapOptions, keys: Keys): void {
  const tags = new TagBook(out)
  for (const row of data.tags)
    tags.addItem(
      { kind: 'tag', id: textOf(row, 'id'), name: textOf(row, 'name') },
      { color: row['color'] },
    )
  const domains = new DomainMonitors()
  const groups = new Map(
    data.monitors
      .filter((row) => textOf(row, 'type') === 'group')
      .map((row) => [textOf(row, 'id'), textOf(row, 'name')]),
  )
  const certificateDays = certificateDaysOf(data)
  for (const given of data.monitors) {
    const watched = new WatchedRow(given)
    const { row } = watched
    const id = textOf(row, 'id')
    const draft = draftMonitor(row, { nearest, certificateDays })
    if (draft.refusal === undefined) {
      setTags(draft, tags, data.tagsOf.get(id) ?? [], groups.get(textOf(row, 'parent')))
      const contacts = (data.notificationsOf.get(id) ?? []).flatMap(
        (one) => keys.contacts.get(one) ?? [],
      )
      draft.set('contacts', [...new Set(contacts)])
    }
    const move = textOf(row, 'type') === 'push' ? toMove(row, data) : undefined
    const reminds = flagOf(row, 'domain_expiry_notification', 'domainExpiryNotification') === true
    reportUnread(draft, watched, MONITOR_RULES)
    const key = out.add('monitors', { kind: 'monitor', id, name: textOf(row, 'name') }, draft)
    if (key === undefined) continue
    keys.monitors.set(id, key)
    const target = draft.fields['host'] ?? draft.fields['url']
    if (reminds && typeof target === 'string') domains.add(target, { monitor: draft.fields })
    if (move !== undefined) out.moveHeartbeat({ monitor: key, ...move })
  }
  domains.addTo(out)
}

function certificateDaysOf({ settings }: KumaData): number {
  const days = listOf(settings.get('tlsExpiryNotifyDays')).filter(
    (day): day is number => typeof day === 'number' && day >= 1 && day <= 365,
  )
  return days.length === 0 ? DEFAULT_CERTIFICATE_DAYS : Math.max(...days.slice(0, 1000))
}

function setTags(
  draft: ItemDraft,
  tags: TagBook,
  given: readonly SourceRow[],
  group: string | undefined,
): void {
  const names = given.map((row) => textOf(row, 'name'))
  for (const row of given)
    dropAll(
      draft,
      { [`value of tag ${textOf(row, 'name')}`]: textOf(row, 'value') },
      'A tag is only a name.',
    )
  if (group !== undefined)
    draft.change('parent', group, `the tag ${group}`, 'Upvane groups by tags.')
  tags.set(draft, group === undefined ? names : [...names, group])
}

function toMove(
  row: SourceRow,
  { settings }: KumaData,
): Omit<HeartbeatMove, 'monitor'> | undefined {
  const token = textOf(row, 'push_token', 'pushToken')
  if (!PUSH_TOKEN.test(token)) return undefined
  const base = settings.get('primaryBaseURL')
  const oldUrl = `${typeof base === 'string' ? base.replace(/\/$/, '') : ''}/api/push/${token}`
  return { name: textOf(row, 'name'), token, oldUrl }
}

function addPage(out: Collector, page: KumaPage, keys: Keys): void {
  const { domains, groups, links } = page
  const watched = new WatchedRow(page.row)
  const { row } = watched
  const draft = new ItemDraft()
  const id = textOf(row, 'id')
  setName(draft, textOf(row, 'title'))
  setSlug(draft, textOf(row, 'slug'))
  setText(draft, 'description', textOf(row, 'description'), MAX_TEXT)
  draft.set('published', flagOf(row, 'published') ?? true)
  draft.set('theme', THEMES.get(textOf(row, 'theme')) ?? 'SYSTEM')
  if (flagOf(row, 'search_engine_index') === false) draft.set('allowIndexing', false)
  setIcon(draft, textOf(row, 'icon'))
  const [domain = '', ...moreDomains] = domains
  setCustomDomain(draft, domain)
  dropAll(draft, { 'more domains': moreDomains }, 'A page has one domain of its own.')
  dropAll(draft, { send_url: links }, 'A page does not link to what its monitors watch.')
  const lost = groups.flatMap(({ monitors }) => monitors).filter((one) => !keys.monitors.has(one))
  if (lost.length > 0)
    draft.drop('monitors', `${lost.length} monitors`, 'They were not taken themselves.')
  setSections(
    draft,
    groups.map(({ name, monitors }) => ({
      name,
      components: monitors.flatMap((one) => {
        const monitor = keys.monitors.get(one)
        return monitor === undefined ? [] : [{ monitor }]
      }),
    })),
  )
  if (textOf(row, 'password') !== '')
    draft.drop('password', 'a hash', 'A password cannot be read back. Set one in Upvane.')
  reportUnread(draft, watched, PAGE_RULES)
  const key = out.add('statusPages', { kind: 'status page', id, name: textOf(row, 'title') }, draft)
  if (key !== undefined) keys.pages.set(id, key)
}

/** One that was uploaded is a file of Uptime Kuma. */
function setIcon(draft: ItemDraft, icon: string): void {
  if (icon.startsWith('https:') || icon.startsWith('http:'))
    return setPageUrl(draft, 'logoUrl', icon)
  if (icon !== '' && icon !== '/icon.svg')
    draft.drop('icon', 'an uploaded image', 'Give the https:// address of a logo in Upvane.')
}
