import { setLedger } from '../../../actions/status-pages/set-ledger.ts'
import * as contract from '../../../contract/private/status-pages/ledger.ts'
import { isoTime } from '../../../domain/monitors/monitor.ts'
import { fromPublicId } from '../../../domain/values/id.ts'
import { notFound } from '../../../platform/api-error.ts'
import { findLedgerStart } from '../../../store/status-pages/ledger.ts'
import { findPage } from '../../../store/status-pages/status-pages.ts'
import { auditedById, plain } from '../../http/audited.ts'
import { bind, type Handler } from '../../http/bind.ts'
import type { BoundPrivateOperation } from '../bind.ts'

const get: Handler<typeof contract.getPageLedger> = async ({ params }, { tenant }) => {
  const uuid = fromPublicId('sp', params.statusPageId)
  if (uuid === undefined || (await findPage(tenant, uuid)) === undefined)
    throw notFound('status page')
  return { since: isoTime((await findLedgerStart(tenant, uuid)) ?? null) }
}

const set: Handler<typeof contract.setPageLedger> = async ({ params, body }, { tx }) => {
  const uuid = fromPublicId('sp', params.statusPageId)
  const since = uuid && (await setLedger(tx, uuid, body.shown))
  if (since === undefined || since === '') throw notFound('status page')
  return { since: isoTime(since) }
}

export const pageLedgerOperations: readonly BoundPrivateOperation[] = [
  bind(contract.getPageLedger, get),
  bind(contract.setPageLedger, set, {
    audited: auditedById('sp', async (tx, uuid) => ({
      ledger: plain((await findLedgerStart(tx, uuid)) !== undefined),
    })),
  }),
]
