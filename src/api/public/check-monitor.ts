import type { RequestCheck } from '../../actions/monitors/request-check.ts'
import * as contract from '../../contract/public/monitors.ts'
import { type Monitor, toApiMonitor } from '../../domain/monitors/monitor.ts'
import { ApiError, notFound } from '../../platform/api-error.ts'
import type { Tenant } from '../../store/core/tenants.ts'
import * as monitors from '../../store/monitors/monitors.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'

/** Runs a check through the owner of the monitor's shard, and responds once its result is stored. */
export function checkOperation(requestCheck: RequestCheck): BoundOperation {
  const check: Handler<typeof contract.checkMonitor> = async (
    { params },
    { tenants, caller, baseUrl },
  ) => {
    const tenant = tenants.of(caller.orgId)
    const monitor = await findChecked(tenant, params.monitorId)
    const request = { orgId: caller.orgId, monitorUuid: monitor.uuid }
    const response = await requestCheck(request, monitor.timeoutSeconds)
    if (response.outcome === 'UNDECIDED') throw new Error('The check ended without a verdict')
    if (response.outcome === 'TOO_SOON') throw tooSoon(response.waitMs)
    return toApiMonitor(await findChecked(tenant, params.monitorId), baseUrl)
  }
  return bind(contract.checkMonitor, check)
}

async function findChecked(tenant: Tenant, uuid: string): Promise<Monitor> {
  const monitor = await monitors.findMonitor(tenant, uuid)
  if (!monitor) throw notFound('monitor')
  if (monitor.state === 'PAUSED') throw new ApiError('conflict', 'The monitor is paused.')
  return monitor
}

function tooSoon(waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const why = 'The events of this day are used up, so that recoveries wait for five minutes.'
  return new ApiError('rate_limited', `${why} Retry in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}
