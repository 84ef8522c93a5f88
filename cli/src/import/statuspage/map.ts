// A page of Atlassian Statuspage. It has no monitors: its components are set by hand, until they get one.
import { CommandError } from '../../command.ts'
import { Collector, type Imported } from '../common/collector.ts'
import { ItemDraft } from '../common/draft.ts'
import { setName, setText } from '../common/limits.ts'
import type { MapOptions } from '../common/options.ts'
import { reportUnread, WatchedRow } from '../common/settings.ts'
import {
  type ImportedComponent,
  type ImportedSection,
  setCustomDomain,
  setPageUrl,
  setSections,
  setSlug,
  setSupportUrl,
} from '../common/status-page.ts'
import { toZone } from '../common/time-zones.ts'
import {
  flagOf,
  isRow,
  listOf,
  numberOf,
  rowsOf,
  type SourceRow,
  textOf,
  toPlainText,
  toRow,
} from '../common/values.ts'
import { addIncidents } from './incidents.ts'
import { COMPONENT_RULES, PAGE_RULES } from './settings.ts'

export type StatuspageData = {
  page: SourceRow
  components: readonly SourceRow[]
  groups: readonly SourceRow[]
  incidents: readonly SourceRow[]
  subscribers: readonly SourceRow[]
}

const STATES: ReadonlyMap<string, string> = new Map([
  ['operational', 'OPERATIONAL'],
  ['degraded_performance', 'DEGRADED'],
  ['partial_outage', 'PARTIAL_OUTAGE'],
  ['major_outage', 'MAJOR_OUTAGE'],
  ['under_maintenance', 'OPERATIONAL'],
])
const MAX_TEXT = 2000

/** `{page, components, component_groups, incidents}`: the answers of the API in one object. */
export function readStatuspage(path: string, json: unknown): StatuspageData {
  if (!isRow(json) || !isRow(json['page']))
    throw new CommandError(1, `${path} is no export of Statuspage: it has no "page".`)
  const components = rowsOf(json['components'])
  return {
    page: json['page'],
    // Groups are in this list too, and again in their own.
    components: components.filter((row) => flagOf(row, 'group') !== true),
    groups:
      json['component_groups'] === undefined
        ? components.filter((row) => flagOf(row, 'group') === true)
        : rowsOf(json['component_groups']),
    incidents: rowsOf(json['incidents']),
    subscribers: rowsOf(json['subscribers']),
  }
}

export function mapStatuspage(data: StatuspageData, { now }: MapOptions): Imported {
  const out = new Collector('statuspage')
  out.announce('status page', 1)
  out.announce('component', data.components.length)
  out.announce('incident', data.incidents.length)
  out.announce('subscriber', data.subscribers.length)
  const key = addPage(out, data)
  addIncidents(out, data.incidents, key ?? '', now)
  for (const row of data.subscribers)
    out.refuse(
      { kind: 'subscriber', id: textOf(row, 'id'), name: 'a subscriber' },
      'Consent was given to the old page. Invite subscribers to the new one.',
    )
  return out.finish()
}

/** Returns its key in the file. */
function addPage(out: Collector, data: StatuspageData): string | undefined {
  const { page: given, components, groups } = data
  const watched = new WatchedRow(given)
  const page = watched.row
  const draft = new ItemDraft()
  const name = textOf(page, 'name')
  setName(draft, name)
  setSlug(draft, textOf(page, 'subdomain'))
  setCustomDomain(draft, textOf(page, 'domain'))
  setText(draft, 'description', textOf(page, 'page_description'), MAX_TEXT)
  setPageUrl(draft, 'homepageUrl', textOf(page, 'url'))
  setSupportUrl(draft, 'support_url', textOf(page, 'support_url'))
  setImage(draft, 'faviconUrl', toRow(page['favicon_logo']))
  setImage(draft, 'logoUrl', toRow(page['transactional_logo']))
  const zone = toZone(textOf(page, 'time_zone') || 'UTC')
  if (zone === undefined)
    draft.change('time_zone', textOf(page, 'time_zone'), 'UTC', 'It is not known.')
  draft.set('timezone', zone ?? 'UTC')
  if (flagOf(page, 'hidden_from_search') === true) draft.set('allowIndexing', false)
  if (flagOf(page, 'allow_email_subscribers') === false) draft.set('subscribersEnabled', false)
  reportUnread(draft, watched, PAGE_RULES)
  const parts = new Map(components.map((row) => [row, draftComponent(row)]))
  const shown = setSections(draft, sectionsOf(parts, groups))
  const item = { kind: 'status page' as const, id: textOf(page, 'id'), name }
  const key = out.add('statusPages', item, draft)
  for (const [row, { component, draft: one }] of parts) {
    const part = { kind: 'component' as const, id: textOf(row, 'id'), name: textOf(row, 'name') }
    if (key === undefined) out.refuse(part, 'Its page was not taken.')
    else if (!shown.has(component)) out.refuse(part, 'A page has no room for more components.')
    else out.note(part, `statusPages.${key}`, one.changes)
  }
  return key
}

type Part = { component: ImportedComponent; draft: ItemDraft }

function setImage(draft: ItemDraft, field: string, image: SourceRow): void {
  setPageUrl(draft, field, textOf(image, 'original_url') || textOf(image, 'url'))
}

/** `draft` only says what was changed. */
function draftComponent(given: SourceRow): Part {
  const watched = new WatchedRow(given)
  const { row } = watched
  const draft = new ItemDraft()
  const status = textOf(row, 'status')
  if (status === 'under_maintenance' || !STATES.has(status))
    draft.change(
      'status',
      status,
      'OPERATIONAL',
      'Plan a maintenance window for what is under maintenance.',
    )
  const component = {
    name: textOf(row, 'name'),
    description: textOf(row, 'description'),
    manualState: STATES.get(status) ?? 'OPERATIONAL',
  }
  reportUnread(draft, watched, COMPONENT_RULES)
  return { component, draft }
}

const byPosition = (a: SourceRow, b: SourceRow): number =>
  (numberOf(a, 'position') ?? 0) - (numberOf(b, 'position') ?? 0)

/** Ids, or whole components. */
const memberIds = (group: SourceRow): string[] =>
  listOf(group['components']).map((one) => (isRow(one) ? textOf(one, 'id') : toPlainText(one)))

/** Components without a group come first, without a heading. */
function sectionsOf(
  parts: ReadonlyMap<SourceRow, Part>,
  groups: readonly SourceRow[],
): ImportedSection[] {
  const rows = [...parts.keys()].toSorted(byPosition)
  const partsOf = (belongs: (row: SourceRow) => boolean): ImportedComponent[] =>
    rows.filter(belongs).flatMap((row) => parts.get(row)?.component ?? [])
  const ids = new Set(groups.map((group) => textOf(group, 'id')))
  const sections = groups.toSorted(byPosition).map((group) => {
    const id = textOf(group, 'id')
    const members = new Set(memberIds(group))
    const belongs = (row: SourceRow): boolean =>
      textOf(row, 'group_id') === id ||
      (!ids.has(textOf(row, 'group_id')) && members.has(textOf(row, 'id')))
    return { name: textOf(group, 'name'), components: partsOf(belongs) }
  })
  const grouped = new Set(groups.flatMap(memberIds))
  const alone = partsOf(
    (row) => !ids.has(textOf(row, 'group_id')) && !grouped.has(textOf(row, 'id')),
  )
  return [{ components: alone }, ...sections]
}
