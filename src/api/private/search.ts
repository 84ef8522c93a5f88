import type { WithDates } from '../../contract/operation.ts'
import * as contract from '../../contract/private/search.ts'
import { targetOf } from '../../domain/monitors/list-order.ts'
import { type IdPrefix, toPublicId } from '../../domain/values/id.ts'
import { MAX_HITS, type SearchRecord, searchAll } from '../../store/views/search.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'

const PREFIXES: Record<SearchRecord['kind'], IdPrefix> = {
  MONITOR: 'mon',
  INCIDENT: 'inc',
  STATUS_PAGE: 'sp',
}
// Places reserved for other results, however many monitors match.
const KEPT_FOR_OTHERS = 8

const search: Handler<typeof contract.searchEverything> = async ({ query }, { tenant }) => {
  const found = await searchAll(tenant, query.q)
  const others = found.filter(({ kind }) => kind !== 'MONITOR')
  const monitors = found
    .filter(({ kind }) => kind === 'MONITOR')
    .slice(0, MAX_HITS - Math.min(others.length, KEPT_FOR_OTHERS))
  return { data: [...monitors, ...others].slice(0, MAX_HITS).map(toHit) }
}

export const searchOperations: readonly BoundOperation[] = [bind(contract.searchEverything, search)]

function toHit(found: SearchRecord): WithDates<contract.SearchHit> {
  const { kind, uuid, title, state, unacknowledgedUuid } = found
  return {
    kind,
    id: toPublicId(PREFIXES[kind], uuid),
    title,
    detail: kind === 'MONITOR' ? targetOf(found) : found.detail,
    state,
    type: kind === 'STATUS_PAGE' ? null : found.type,
    since: found.since,
    unacknowledgedId: unacknowledgedUuid && toPublicId('inc', unacknowledgedUuid),
  }
}
