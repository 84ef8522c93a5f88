import { MAX_ALIASES, MAX_ALIASES_OF_MONITOR } from '../../domain/monitors/ping-alias.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import * as store from '../../store/monitors/ping-aliases.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { newHeartbeatToken } from './heartbeat-token.ts'

/** Lets jobs ping these monitors under old tokens. Returns the id of the organization in their URLs. */
export async function addPingAliases(
  tx: TenantTx,
  aliases: readonly store.PingAlias[],
): Promise<string> {
  await lockUsage(tx)
  const uuids = [...new Set(aliases.map(({ monitorUuid }) => monitorUuid))]
  const known = await store.lockCronMonitors(tx, uuids)
  if (known.size < uuids.length)
    throw new ApiError('conflict', 'Each monitor must exist and be of type CRON.')
  const id = (await store.findAliasId(tx)) ?? (await createId(tx))
  await store.insertAliases(tx, id, aliases)
  const { total, most } = await store.countAliases(tx)
  if (most > MAX_ALIASES_OF_MONITOR)
    throw new ApiError('conflict', `A monitor may have ${MAX_ALIASES_OF_MONITOR} aliases.`)
  if (total > MAX_ALIASES) throw new ApiError('plan_limit', `There may be ${MAX_ALIASES} aliases.`)
  return id
}

async function createId(tx: TenantTx): Promise<string> {
  const id = newHeartbeatToken()
  await store.insertAliasId(tx, id)
  return id
}
