// What the palette lists for what was typed, in its order. Pure.
import type { DashboardPath } from '../../../../src/domain/values/dashboard-paths.ts'
import type { MonitorAction } from '../../messages/monitor-actions.ts'
import { paletteText } from '../../messages/palette.ts'
import type { Shortcut } from '../../session/keyboard.ts'
import type { NavigationItem } from '../navigation-items.ts'
import { type PaletteCommand, readCommand } from './command.ts'
import { actionsOfHit, type PaletteHit } from './hits.ts'
import { type MatchSpan, matchLabel } from './match.ts'

export const MOST_OF_A_KIND = 6
const KINDS = ['MONITOR', 'INCIDENT', 'STATUS_PAGE'] as const

export const GROUPS = [...KINDS, 'ACTION', 'PLACE'] as const

export type Creation = {
  to: DashboardPath
  label: string
  /** The label of the shortcut that does the same on its screen. */
  shortcut?: string
  /** Opens the dialog of that screen. */
  query?: string
}

type Deed =
  | { does: 'open'; hit: PaletteHit }
  | { does: 'act'; hit: PaletteHit; action: MonitorAction }
  | { does: 'choose'; action: MonitorAction }
  | { does: 'create'; creation: Creation; keys?: string }
  | { does: 'press'; shortcut: Shortcut }
  | { does: 'go'; place: NavigationItem }

export type PaletteEntry = {
  id: string
  group: (typeof GROUPS)[number]
  label: string
  spans: readonly MatchSpan[]
  /** Gray, after the label. */
  detail: string | null
  detailSpans: readonly MatchSpan[]
  deed: Deed
}

export type Sources = {
  text: string
  mayWrite: boolean
  /** What matches the whole text. */
  hits: readonly PaletteHit[]
  /** What the rest of a command may mean. */
  targets: readonly PaletteHit[]
  /** Ongoing incidents that no one has acknowledged. */
  open: readonly PaletteHit[]
  shortcuts: readonly Shortcut[]
  creations: readonly Creation[]
  places: readonly NavigationItem[]
}

/** Found things first, then actions, then places. Without text: what needs someone now. */
export function toEntries(sources: Sources): PaletteEntry[] {
  const { text, mayWrite, hits, open, places } = sources
  const isEmpty = text.trim() === ''
  const found = isEmpty ? open : hits
  const opens = KINDS.flatMap((kind) =>
    found.filter((hit) => hit.kind === kind).slice(0, MOST_OF_A_KIND),
  ).map((hit) => toOpen(hit, text))
  const command = mayWrite ? readCommand(text) : undefined
  const actions = mayWrite ? actionEntries(sources, command, isEmpty) : []
  return [...opens, ...actions, ...commandEntries(sources), ...placeEntries(places, text)]
}

/** What can be done to one hit: `Open` first. */
export function toEntriesOf(hit: PaletteHit, text: string, mayWrite: boolean): PaletteEntry[] {
  const open = { ...toOpen(hit, ''), label: paletteText.open({ name: hit.title }), detail: null }
  const acts = mayWrite ? actionsOfHit(hit).map((action) => toAct(hit, action, text)) : []
  return [open, ...acts].flatMap((entry): PaletteEntry[] => {
    const match = matchLabel(entry.label, text)
    return match ? [{ ...entry, group: 'ACTION', spans: match.spans }] : []
  })
}

function actionEntries(
  { text, hits, targets, open }: Sources,
  command: PaletteCommand | undefined,
  isEmpty: boolean,
): PaletteEntry[] {
  const ofFirst = hits
    .slice(0, 1)
    .flatMap((hit) => actionsOfHit(hit).map((action) => toAct(hit, action, text)))
  const ofOpen = isEmpty ? open.map((hit) => toAct(hit, 'acknowledge', text)) : []
  const all = [...ofOpen, ...ofFirst, ...(command ? ofCommand(command, targets, text) : [])]
  return all.filter((entry, index) => all.findIndex(({ id }) => id === entry.id) === index)
}

/** An action without a target is completed first; only acknowledging goes to what is open. */
function ofCommand({ action, rest }: PaletteCommand, targets: readonly PaletteHit[], text: string) {
  const acts = targets
    .filter((hit) => actionsOfHit(hit).includes(action))
    .slice(0, MOST_OF_A_KIND)
    .map((hit) => toAct(hit, action, text))
  const isToChoose = rest === '' && !text.endsWith(' ') && action !== 'acknowledge'
  return isToChoose ? [toChoose(action, text), ...acts] : acts
}

function commandEntries({ text, shortcuts, creations }: Sources): PaletteEntry[] {
  const same = new Map(shortcuts.map(({ label, keys }) => [label, keys]))
  const known = new Set(creations.map(({ shortcut }) => shortcut))
  const created = creations.map((creation): Bare => {
    const keys = same.get(creation.shortcut ?? '')
    const deed: Deed = { does: 'create', creation, ...(keys !== undefined && { keys }) }
    return { id: `create${creation.to}`, group: 'ACTION', label: creation.label, deed }
  })
  const pressed = shortcuts
    .filter(({ hidden, label }) => !hidden && !known.has(label))
    .map((shortcut): Bare => {
      const { label, keys } = shortcut
      return { id: `press-${keys}`, group: 'ACTION', label, deed: { does: 'press', shortcut } }
    })
  return matching([...pressed, ...created], text)
}

function placeEntries(places: readonly NavigationItem[], text: string): PaletteEntry[] {
  const all = places.map(
    (place): Bare => ({
      id: `go${place.to}`,
      group: 'PLACE',
      label: place.label,
      deed: { does: 'go', place },
    }),
  )
  return matching(all, text)
}

type Bare = Pick<PaletteEntry, 'id' | 'group' | 'label' | 'deed'>

/** Those that match, the best first. */
function matching(entries: readonly Bare[], text: string): PaletteEntry[] {
  return entries
    .flatMap((entry) => {
      const match = matchLabel(entry.label, text)
      return match ? [{ entry, match }] : []
    })
    .toSorted((one, other) => one.match.rank - other.match.rank)
    .map(({ entry, match }) => ({ ...entry, spans: match.spans, detail: null, detailSpans: [] }))
}

function toOpen(hit: PaletteHit, text: string): PaletteEntry {
  const { kind, id, title, detail } = hit
  const spans = matchLabel(title, text)?.spans ?? []
  const detailSpans = (detail !== null && matchLabel(detail, text)?.spans) || []
  return { id, group: kind, label: title, spans, detail, detailSpans, deed: { does: 'open', hit } }
}

function toAct(hit: PaletteHit, action: MonitorAction, text: string): PaletteEntry {
  const label = paletteText.actions[action]({ name: hit.title })
  const subject = action === 'acknowledge' ? hit.unacknowledgedId : hit.id
  return toAction(`${action}-${subject}`, label, text, { does: 'act', hit, action })
}

function toChoose(action: MonitorAction, text: string): PaletteEntry {
  return toAction(`choose-${action}`, paletteText.choose[action], text, { does: 'choose', action })
}

function toAction(id: string, label: string, text: string, deed: Deed): PaletteEntry {
  const spans = matchLabel(label, text)?.spans ?? []
  return { id, group: 'ACTION', label, spans, detail: null, detailSpans: [], deed }
}
