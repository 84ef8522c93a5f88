import { setLedger } from '../../../actions/status-pages/set-ledger.ts'
import * as contract from '../../../contract/private/status-pages/ledger.ts'
import { notFound } from '../../../platform/api-error.ts'
import { findLedgerStart } from '../../../store/status-pages/ledger.ts'
import { findPage } from '../../../store/status-pages/status-pages.ts'
import { compared, plain } from '../../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'

const get: Handler<typeof contract.getPageLedger> = async ({ params }, { tenant }) => {
  if ((await findPage(tenant, params.statusPageId)) === undefined) throw notFound('status page')
  return { since: (await findLedgerStart(tenant, params.statusPageId)) ?? null }
}

const set: Handler<typeof contract.setPageLedger> = async ({ params, body }, { tx }) => {
  const change = await setLedger(tx, params.statusPageId, body.shown)
  if (change === undefined) throw notFound('status page')
  return compared({ since: change.after }, change, (since) => ({ ledger: plain(since !== null) }))
}

export const pageLedgerOperations: readonly BoundOperation[] = [
  bind(contract.getPageLedger, get),
  bind(contract.setPageLedger, set),
]
