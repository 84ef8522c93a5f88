// The query of the monitor list. Separate from the screen, so it can be requested before the screen loads.
import type { InputOf } from '../../api/contract.ts'

export const PAGE_SIZE = 25
export const LIST_ADDRESS = { q: '', state: '', type: '', sort: 'state', reversed: '', page: '1' }

export type Query = NonNullable<InputOf<'GET /overview/monitors'>['query']>

/** A URL can hold anything; the server reports invalid values. */
export function toQuery({ q, state, type, sort, reversed }: typeof LIST_ADDRESS): Query {
  return {
    ...(q !== '' && { q }),
    ...(state !== '' && { state: [state] as NonNullable<Query['state']> }),
    ...(type !== '' && { type: [type] as NonNullable<Query['type']> }),
    ...(sort !== 'state' && { sort: sort as NonNullable<Query['sort']> }),
    ...(reversed !== '' && { reversed: true }),
  }
}

export function listInput(address: typeof LIST_ADDRESS): InputOf<'GET /overview/monitors'> {
  const offset = (Number(address.page) - 1) * PAGE_SIZE
  return { query: { ...toQuery(address), limit: PAGE_SIZE, offset } }
}
