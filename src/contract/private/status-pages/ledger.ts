// The ledger of a status page. The fields of a page in the public API stay as they are.
import { closed, input, nullable, Timestamp } from '../../schema.ts'
import { Type } from '../../type.ts'
import { privateOperation } from '../operation.ts'

const PATH = '/status-pages/{statusPageId}/ledger'
const PageParams = Type.Object({ statusPageId: Type.String() })
/** Null: it is not shown. */
const PageLedger = closed({ since: nullable(Timestamp) })

export const getPageLedger = privateOperation({
  id: 'getPageLedger',
  method: 'GET',
  path: PATH,
  who: 'READ_ONLY',
  params: PageParams,
  reply: { status: 200, body: PageLedger },
})

/** Publishes when outages of the page's monitors were detected, from now on. */
export const setPageLedger = privateOperation({
  id: 'setPageLedger',
  method: 'PUT',
  path: PATH,
  who: 'MEMBER',
  needsSubscription: true,
  params: PageParams,
  body: { schema: input({ shown: Type.Boolean() }), required: true },
  reply: { status: 200, body: PageLedger },
})

export const PAGE_LEDGER_OPERATIONS = [getPageLedger, setPageLedger] as const
