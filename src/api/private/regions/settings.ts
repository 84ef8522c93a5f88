import {
  putRegionSetting,
  removeRegionSetting,
} from '../../../actions/monitors/put-region-setting.ts'
import * as contract from '../../../contract/private/monitors/region-settings.ts'
import type { AuditedFields } from '../../../domain/people/audit-entry.ts'
import { toPublicId } from '../../../domain/values/id.ts'
import { notFound } from '../../../platform/api-error.ts'
import type { Tenant, TenantTx } from '../../../store/core/tenants.ts'
import {
  findEffectiveSetting,
  findRegionSetting,
  type RegionTarget,
  type StoredRegionSetting,
} from '../../../store/monitors/region-settings.ts'
import { compared, plain } from '../../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'

const NOUN = 'region setting'
const ORGANIZATION: RegionTarget = { kind: 'ORGANIZATION', uuid: null }
const monitorOf = (uuid: string): RegionTarget => ({ kind: 'MONITOR', uuid })
const tagOf = (uuid: string): RegionTarget => ({ kind: 'TAG', uuid })

export function toApiSetting({ regions, mode, downWhen, target, updatedAt }: StoredRegionSetting) {
  const { kind: from, uuid } = target
  const id = uuid === null ? null : toPublicId(from === 'TAG' ? 'tag' : 'mon', uuid)
  return { regions: [...regions], mode, downWhen, from, id, updatedAt }
}

async function read(tenant: Tenant, target: RegionTarget) {
  const found = await findRegionSetting(tenant, target)
  if (found === undefined) throw notFound(NOUN)
  return toApiSetting(found)
}

type Body = Parameters<typeof putRegionSetting>[2]

async function put(tx: TenantTx, target: RegionTarget, body: Body) {
  const { before, after } = await putRegionSetting(tx, target, body)
  return compared(toApiSetting(after), { before, after }, settingFields)
}

async function remove(tx: TenantTx, target: RegionTarget, id: string) {
  const before = await removeRegionSetting(tx, target)
  if (before === undefined) throw notFound(NOUN)
  return compared({ data: { id } }, { before, after: undefined }, settingFields)
}

const settingFields = (setting: StoredRegionSetting | undefined): AuditedFields => ({
  regions: plain(setting ? setting.regions.join(', ') : null),
  mode: plain(setting?.mode ?? null),
  downWhen: plain(setting?.downWhen ?? null),
})

/** What counts for the monitor, whoever chose it. */
const ofMonitor: Handler<typeof contract.getMonitorRegions> = async ({ params }, { tenant }) => {
  const found = await findEffectiveSetting(tenant, params.monitorId)
  if (found === undefined) throw notFound(NOUN)
  return toApiSetting(found)
}
const putMonitor: Handler<typeof contract.putMonitorRegions> = ({ params, body }, { tx }) =>
  put(tx, monitorOf(params.monitorId), body)
const removeMonitor: Handler<typeof contract.deleteMonitorRegions> = ({ params }, { tx }) =>
  remove(tx, monitorOf(params.monitorId), toPublicId('mon', params.monitorId))

const ofTag: Handler<typeof contract.getTagRegions> = ({ params }, { tenant }) =>
  read(tenant, tagOf(params.tagId))
const putTag: Handler<typeof contract.putTagRegions> = ({ params, body }, { tx }) =>
  put(tx, tagOf(params.tagId), body)
const removeTag: Handler<typeof contract.deleteTagRegions> = ({ params }, { tx }) =>
  remove(tx, tagOf(params.tagId), toPublicId('tag', params.tagId))

const ofOrganization: Handler<typeof contract.getOrganizationRegions> = (_input, { tenant }) =>
  read(tenant, ORGANIZATION)
const putOrganization: Handler<typeof contract.putOrganizationRegions> = ({ body }, { tx }) =>
  put(tx, ORGANIZATION, body)
const removeOrganization: Handler<typeof contract.deleteOrganizationRegions> = (_input, { tx }) =>
  remove(tx, ORGANIZATION, toPublicId('org', tx.orgId))

export const regionSettingOperations: readonly BoundOperation[] = [
  bind(contract.getMonitorRegions, ofMonitor),
  bind(contract.putMonitorRegions, putMonitor),
  bind(contract.deleteMonitorRegions, removeMonitor),
  bind(contract.getTagRegions, ofTag),
  bind(contract.putTagRegions, putTag),
  bind(contract.deleteTagRegions, removeTag),
  bind(contract.getOrganizationRegions, ofOrganization),
  bind(contract.putOrganizationRegions, putOrganization),
  bind(contract.deleteOrganizationRegions, removeOrganization),
]
