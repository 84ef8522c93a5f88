import * as contract from '../../contract/ext/alert-contacts.ts'
import { toApiContact } from '../../domain/alerts/contact.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { notFound } from '../../platform/api-error.ts'
import {
  attachMonitors,
  detachMonitors,
  listAttached,
} from '../../store/alerts/contact-monitors.ts'
import { listContacts, lockContact } from '../../store/alerts/contacts.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { findMonitorNo } from '../../store/views/monitor-list.ts'
import { compared } from '../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'
import { attachedMonitors } from '../private/alerts/audited-contact.ts'
import { pageOf } from './page-of.ts'

const list: Handler<typeof contract.listAlertContacts> = async ({ query }, { tenant }) =>
  pageOf((await listContacts(tenant)).map(toApiContact), query)

const attach: Handler<typeof contract.attachAlertContact> = async ({ params }, { tx }) => {
  const before = await lockBoth(tx, params)
  await attachMonitors(tx, params.contactId, [params.monitorId])
  const after = await listAttached(tx, params.contactId)
  return compared({ ...idsOf(params), attached: true }, { before, after }, attachedMonitors)
}

const detach: Handler<typeof contract.detachAlertContact> = async ({ params }, { tx }) => {
  const before = await lockBoth(tx, params)
  await detachMonitors(tx, params.contactId, [params.monitorId])
  const after = await listAttached(tx, params.contactId)
  return compared({ ...idsOf(params), attached: false }, { before, after }, attachedMonitors)
}

type Both = { contactId: string; monitorId: string }

/** Returns the monitors that the contact is alerted about. */
async function lockBoth(tx: TenantTx, { contactId, monitorId }: Both): Promise<string[]> {
  if ((await lockContact(tx, contactId)) === undefined) throw notFound('alert contact')
  if ((await findMonitorNo(tx, monitorId)) === undefined) throw notFound('monitor')
  return listAttached(tx, contactId)
}

const idsOf = ({ contactId, monitorId }: Both): Both => ({
  contactId: toPublicId('act', contactId),
  monitorId: toPublicId('mon', monitorId),
})

export const alertContactOperations: readonly BoundOperation[] = [
  bind(contract.listAlertContacts, list),
  bind(contract.attachAlertContact, attach),
  bind(contract.detachAlertContact, detach),
]
