import * as contract from '../../contract/ext/alert-contacts.ts'
import { toApiContact } from '../../domain/alerts/contact.ts'
import { fromPublicId } from '../../domain/values/id.ts'
import { notFound } from '../../platform/api-error.ts'
import { attachMonitors, detachMonitors } from '../../store/alerts/contact-monitors.ts'
import { listContacts, lockContact } from '../../store/alerts/contacts.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { findMonitorNo } from '../../store/views/monitor-list.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'
import { AUDITED_ATTACHED } from '../private/alerts/audited-contact.ts'
import { pageOf } from './page-of.ts'

const list: Handler<typeof contract.listAlertContacts> = async ({ query }, { tenant }) =>
  pageOf((await listContacts(tenant)).map(toApiContact), query)

const attach: Handler<typeof contract.attachAlertContact> = async ({ params }, { tx }) => {
  const { contactUuid, monitorUuid } = await findBoth(tx, params)
  await attachMonitors(tx, contactUuid, [monitorUuid])
  return { ...params, attached: true }
}

const detach: Handler<typeof contract.detachAlertContact> = async ({ params }, { tx }) => {
  const { contactUuid, monitorUuid } = await findBoth(tx, params)
  await detachMonitors(tx, contactUuid, [monitorUuid])
  return { ...params, attached: false }
}

async function findBoth(tx: TenantTx, params: { contactId: string; monitorId: string }) {
  const contactUuid = fromPublicId('act', params.contactId)
  if (contactUuid === undefined || (await lockContact(tx, contactUuid)) === undefined)
    throw notFound('alert contact')
  const monitorUuid = fromPublicId('mon', params.monitorId)
  if (monitorUuid === undefined || (await findMonitorNo(tx, monitorUuid)) === undefined)
    throw notFound('monitor')
  return { contactUuid, monitorUuid }
}

export const alertContactOperations: readonly BoundOperation[] = [
  bind(contract.listAlertContacts, list),
  bind(contract.attachAlertContact, attach, { audited: AUDITED_ATTACHED }),
  bind(contract.detachAlertContact, detach, { audited: AUDITED_ATTACHED }),
]
