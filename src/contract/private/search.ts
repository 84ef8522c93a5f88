// One search across everything.
import type { Static } from 'typebox'
import { MONITOR_TYPES } from '../../domain/monitors/monitor.ts'
import { closed, input, nullable, oneOf, Timestamp } from '../schema.ts'
import { Type } from '../type.ts'
import { privateOperation } from './operation.ts'

export const HIT_KINDS = ['MONITOR', 'INCIDENT', 'STATUS_PAGE'] as const

export const SearchHit = closed({
  kind: oneOf(HIT_KINDS),
  id: Type.String(),
  title: Type.String(),
  /** A monitor's target, an incident's cause, a page's slug. */
  detail: nullable(Type.String()),
  /** A monitor's state, ONGOING or RESOLVED, PUBLISHED or HIDDEN. */
  state: Type.String(),
  /** A monitor's type, also that of an incident's monitor. Null for a page. */
  type: nullable(oneOf(MONITOR_TYPES)),
  /** Since when a monitor has its state, or when an incident started. Null for a page. */
  since: nullable(Timestamp),
  /** The ongoing incident that no one has acknowledged yet: of the monitor, or the hit itself. */
  unacknowledgedId: nullable(Type.String()),
})
export type SearchHit = Static<typeof SearchHit>

/** At most 20: names that begin with the text first, then names that contain it. */
export const searchEverything = privateOperation({
  id: 'searchEverything',
  method: 'GET',
  path: '/search',
  who: 'READ_ONLY',
  query: input({ q: Type.String({ minLength: 1, maxLength: 100 }) }),
  reply: { status: 200, body: closed({ data: Type.Array(SearchHit, { maxItems: 20 }) }) },
})
