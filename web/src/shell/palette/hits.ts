// What was found: how it is shown, where it leads, and what can be done to it. Pure.

import { listedState } from '../../../../src/domain/monitors/list-order.ts'
import type { MonitorState } from '../../../../src/domain/monitors/monitor.ts'
import { PATHS, pathTo } from '../../../../src/domain/values/dashboard-paths.ts'
import type { ItemOf } from '../../api/contract.ts'
import type { MonitorAction } from '../../messages/monitor-actions.ts'
import { paletteText } from '../../messages/palette.ts'
import { causeSentence } from '../../shared/cause-sentence.ts'
import { actionsFor } from '../../shared/monitor-verbs.ts'
import { formatMoment, formatSpan } from '../../time/format.ts'
import type { State } from '../../ui/state.tsx'

export type PaletteHit = ItemOf<'GET /search'>

// Safe because every hit of a monitor has the state of a monitor.
export const monitorStateOf = ({ state }: PaletteHit): MonitorState => state as MonitorState

export function actionsOfHit(hit: PaletteHit): MonitorAction[] {
  const { kind, type, unacknowledgedId } = hit
  if (kind === 'MONITOR' && type !== null)
    return actionsFor({ type, state: monitorStateOf(hit), unacknowledgedId })
  return kind === 'INCIDENT' && unacknowledgedId !== null ? ['acknowledge'] : []
}

export function pathOfHit({ kind, id }: PaletteHit): string {
  if (kind === 'MONITOR') return pathTo(PATHS.monitor, { monitorId: id })
  if (kind === 'INCIDENT') return pathTo(PATHS.incident, { incidentId: id })
  return pathTo(PATHS.statusPage, { statusPageId: id })
}

// How long a monitor has been up says little; how long it has not been is what people look for.
const TIMED: ReadonlySet<string> = new Set(['DOWN', 'DEGRADED', 'PAUSED'])

/** `Down 4 min`, `Ongoing, 14:27`, `Resolved, Sat, Nov 14, 14:27`, `Published`. */
export function stateOfHit(hit: PaletteHit, now: number): { state: State; text: string } {
  const { kind, type, state, since } = hit
  if (kind === 'MONITOR') {
    const shown = listedState({ type, state: monitorStateOf(hit) })
    const word = paletteText.states[shown]
    if (since === null || !TIMED.has(shown)) return { state: shown, text: word }
    return { state: shown, text: `${word} ${formatSpan(now - Date.parse(since))}` }
  }
  if (kind === 'INCIDENT') {
    const isOngoing = state === 'ONGOING'
    const word = isOngoing ? paletteText.states.ONGOING : paletteText.states.RESOLVED
    const text = since === null ? word : `${word}, ${formatMoment(since, now)}`
    return { state: isOngoing ? 'DOWN' : 'UP', text }
  }
  return state === 'PUBLISHED'
    ? { state: 'OPERATIONAL', text: paletteText.states.PUBLISHED }
    : { state: 'PAUSED', text: paletteText.states.HIDDEN }
}

/** A row of the monitor list, as if it had been found. */
export function hitOfMonitor(row: ItemOf<'GET /overview/monitors'>): PaletteHit {
  const { id, name, target, state, type, since, openIncident } = row
  const unacknowledgedId = openIncident?.acknowledged === false ? openIncident.id : null
  return { kind: 'MONITOR', id, title: name, detail: target, state, type, since, unacknowledgedId }
}

/** An ongoing incident that no one has acknowledged, as if it had been found. */
export function hitOfIncident(row: ItemOf<'GET /overview/incidents'>): PaletteHit {
  const { id, monitor, cause, startedAt } = row
  return {
    kind: 'INCIDENT',
    id,
    title: monitor.name,
    detail: cause && causeSentence(cause),
    state: 'ONGOING',
    type: null,
    since: startedAt,
    unacknowledgedId: id,
  }
}
