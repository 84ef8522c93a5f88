// What the list of monitors is read by. Apart from the screen, so that it can be asked for before the screen is there.
import type { InputOf } from '../../api/contract.ts'

export const PAGE_SIZE = 25
export const LIST_ADDRESS = { q: '', state: '', type: '', sort: 'state', reversed: '', page: '1' }

export type Query = NonNullable<InputOf<'GET /overview/monitors'>['query']>

/** What stands in an address is anybody's; the server says what is wrong with it. */
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
