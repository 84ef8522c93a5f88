// Reads what the palette lists: what matches the text, and what a command may be run on.
import { useDeferredValue } from 'react'
import { useConnection } from '../../api/connection.ts'
import type { InputOf } from '../../api/contract.ts'
import type { MonitorAction } from '../../messages/monitor-actions.ts'
import { useRegistered } from '../../session/keyboard.ts'
import { useMay, useOrganization } from '../../session/organization.ts'
import { useRead } from '../../session/use-api.ts'
import { causeSentence } from '../../shared/cause-sentence.ts'
import { useNavigationItems } from '../use-navigation-items.ts'
import { useUnacknowledged } from '../use-unacknowledged.ts'
import { readCommand } from './command.ts'
import { creationsFor } from './creations.ts'
import { MOST_OF_A_KIND, type Sources } from './entries.ts'
import { hitOfIncident, hitOfMonitor, type PaletteHit } from './hits.ts'
import { matchLabel } from './match.ts'

export function useSources(text: string): Sources {
  const { role } = useOrganization()
  const isOnline = useConnection().offlineSince === undefined
  const mayWrite = useMay('MEMBER') && isOnline
  const shortcuts = useRegistered()
  const open = useUnacknowledged().map(hitOfIncident)
  return {
    text,
    mayWrite,
    hits: useFound(text.trim()),
    targets: useTargets(mayWrite ? text : '', open),
    open,
    shortcuts: isOnline ? shortcuts : shortcuts.filter(({ group }) => group === 'Anywhere'),
    creations: isOnline ? creationsFor(role) : [],
    places: useNavigationItems(),
  }
}

function useFound(text: string): readonly PaletteHit[] {
  const q = useDeferredValue(text)
  const enabled = q !== ''
  const { data, isPlaceholderData } = useRead('GET /search', { query: { q } }, { enabled })
  const hits: readonly PaletteHit[] = ((enabled ? data?.data : undefined) ?? []).map(readable)
  // What is shown while the next result loads was found for another text.
  return isPlaceholderData || q !== text ? hits.filter((hit) => isFor(hit, text)) : hits
}

// Incidents are found by their cause.
const readable = (hit: PaletteHit): PaletteHit =>
  hit.kind === 'INCIDENT' && hit.detail !== null
    ? { ...hit, detail: causeSentence(hit.detail) }
    : hit

const isFor = ({ title, detail }: PaletteHit, text: string): boolean =>
  [title, detail ?? ''].some((label) => matchLabel(label, text) !== undefined)

type RowsQuery = NonNullable<InputOf<'GET /overview/monitors'>['query']>

const STATES: Partial<Record<MonitorAction, RowsQuery['state']>> = { resume: ['PAUSED'] }

/** For a command: what the rest of the text finds, otherwise the worst monitors. Acknowledging goes to open incidents. */
function useTargets(text: string, open: readonly PaletteHit[]): readonly PaletteHit[] {
  const command = readCommand(text)
  const rest = command?.rest ?? ''
  const found = useFound(rest)
  const state = command && STATES[command.action]
  const isWithout = command !== undefined && rest === ''
  const query = { limit: MOST_OF_A_KIND, ...(state && { state }) }
  const enabled = isWithout && command.action !== 'acknowledge'
  const rows = useRead('GET /overview/monitors', { query }, { enabled })
  if (!isWithout) return found
  if (command.action === 'acknowledge') return open
  return rows.data?.data.map(hitOfMonitor) ?? []
}
