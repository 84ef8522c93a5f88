// The query of the monitor list. Separate from the screen, so it can be requested before the screen loads.
import type { InputOf } from '../../api/contract.ts'

export const PAGE_SIZES = ['25', '50', '100']
export const LIST_ADDRESS = {
  q: '',
  state: '',
  type: '',
  tag: '',
  sort: 'state',
  reversed: '',
  rows: '25',
  page: '1',
}

export type Query = NonNullable<InputOf<'GET /overview/monitors'>['query']>

/** A URL can hold anything; the server reports invalid values. */
export function toQuery({ sort, reversed, ...filter }: typeof LIST_ADDRESS): Query {
  return {
    ...toFilter(filter),
    ...(sort !== 'state' && { sort: sort as NonNullable<Query['sort']> }),
    ...(reversed !== '' && { reversed: true }),
  }
}

type FilterAddress = Pick<typeof LIST_ADDRESS, 'q' | 'state' | 'type' | 'tag'>

/** Which monitors are listed, in whatever order. */
export function toFilter({ q, state, type, tag }: FilterAddress) {
  return {
    ...(q !== '' && { q }),
    ...(state !== '' && { state: [state] as NonNullable<Query['state']> }),
    ...(type !== '' && { type: [type] as NonNullable<Query['type']> }),
    ...(tag !== '' && { tag: [tag] }),
  }
}

export function listInput(address: typeof LIST_ADDRESS): InputOf<'GET /overview/monitors'> {
  const limit = Number(address.rows)
  return { query: { ...toQuery(address), limit, offset: (Number(address.page) - 1) * limit } }
}
