// Many monitors at once, and checks that change nothing.
import type { RequestTrial } from '../../actions/monitors/request-check.ts'
import { limitRequests } from '../../actions/people/limit-tries.ts'
import * as contract from '../../contract/ext/monitors.ts'
import { MonitorCreate } from '../../contract/public/monitor.ts'
import { type Monitor, type MonitorSettings, toApiMonitor } from '../../domain/monitors/monitor.ts'
import { fromPublicId, toPublicId } from '../../domain/values/id.ts'
import type { Problem } from '../../domain/values/problem.ts'
import { ApiError, notFound, validationError } from '../../platform/api-error.ts'
import { listRegionNames } from '../../store/core/regions.ts'
import type { Tenant } from '../../store/core/tenants.ts'
import { findMonitor } from '../../store/monitors/monitors.ts'
import { listTags } from '../../store/monitors/tags.ts'
import { subjectOf } from '../../store/people/sign-in-windows.ts'
import { listMonitorDetails, type MonitorWithAttached } from '../../store/views/monitor-details.ts'
import {
  type BoundOperation,
  bind,
  bindWaiting,
  type Handler,
  type WaitingContext,
  type WaitingHandler,
} from '../http/bind.ts'
import { toApiTag } from '../private/tags.ts'
import { toTrialResult, trialRules } from '../private/try-monitor.ts'
import { toSettings } from '../public/monitors.ts'
import type { PeopleFor } from './bind.ts'
import { findTag } from './tags.ts'

const NIL_UUID = '00000000-0000-0000-0000-000000000000'

const list: Handler<typeof contract.listMonitorDetails> = async ({ query }, context) => {
  const { tenant, baseUrl } = context
  const { limit, cursor, tag } = query
  const afterUuid = cursor === undefined ? undefined : fromPublicId('mon', cursor)
  if (cursor !== undefined && afterUuid === undefined)
    throw validationError([{ path: 'cursor', message: 'must be the next of a page' }])
  const tagUuids = tag && (await findTagUuids(tenant, tag))
  // One more than shown tells whether there is a next page.
  const found = await listMonitorDetails(tenant, { limit: limit + 1, afterUuid, tagUuids })
  const data = found.slice(0, limit).map((one) => toDetail(one, baseUrl))
  return { data, next: found.length > limit ? (data.at(-1)?.id ?? null) : null }
}

/** What is not a tag matches no monitor. */
async function findTagUuids(tenant: Tenant, given: readonly string[]): Promise<string[]> {
  const tags = await listTags(tenant)
  return [...new Set(given.map((idOrName) => findTag(tags, idOrName)?.uuid ?? NIL_UUID))]
}

function toDetail({ monitor, ...attached }: MonitorWithAttached, baseUrl: string) {
  const { tags, contactUuids, managedBy } = attached
  return {
    ...toApiMonitor(monitor, baseUrl),
    tags: tags.map(toApiTag),
    alertContactIds: contactUuids.map((uuid) => toPublicId('act', uuid)),
    managedBy,
  }
}

// Per organization: a check may take a minute, and reaches somebody's server.
const MAX_CHECKS = 10
const CHECK_WINDOW_SECONDS = 60

type Deps = { requestTrial: RequestTrial; peopleFor: PeopleFor }
type Trial = { draft: MonitorSettings; region: string | undefined; monitorUuid?: string }

export function monitorOperations({ requestTrial, peopleFor }: Deps): readonly BoundOperation[] {
  const run = async ({ caller, tenants }: WaitingContext, { region, ...trialed }: Trial) => {
    const { orgId } = caller
    await requireRegion(tenants.of(orgId), region)
    const subject = subjectOf('key-check', orgId)
    const limit = { subject, limit: MAX_CHECKS, windowSeconds: CHECK_WINDOW_SECONDS }
    await limitRequests(peopleFor(orgId), [limit])
    const trial = await requestTrial({ orgId, ...trialed, ...(region !== undefined && { region }) })
    const { result, check } = toTrialResult(trial)
    return { result, region: check.location, check }
  }

  const check: WaitingHandler<typeof contract.runCheck> = ({ body }, context) => {
    const { region, ...fields } = body
    return run(context, { draft: toSettings({ ...fields, name: 'Check' }), region })
  }

  const checkMonitor: WaitingHandler<typeof contract.runMonitorCheck> = async (input, context) => {
    const uuid = fromPublicId('mon', input.params.monitorId)
    const monitor = uuid && (await findMonitor(context.tenants.of(context.caller.orgId), uuid))
    if (!monitor) throw notFound('monitor')
    if (monitor.type === 'CRON')
      throw new ApiError('conflict', 'A CRON monitor waits for pings: there is nothing to check.')
    const { region } = input.body
    return run(context, { draft: settingsOf(monitor), region, monitorUuid: uuid })
  }

  return [
    bind(contract.listMonitorDetails, list),
    bindWaiting(contract.runCheck, check, checkRules),
    bindWaiting(contract.runMonitorCheck, checkMonitor),
  ]
}

const checkRules = (body: Record<string, unknown>): Problem[] =>
  trialRules({ ...body, name: 'Check' })

async function requireRegion(tenant: Tenant, region: string | undefined): Promise<void> {
  if (region === undefined || (await listRegionNames(tenant)).includes(region)) return
  throw validationError([{ path: 'region', message: 'is not a region of this installation' }])
}

// Safe because a monitor is created with exactly its settings.
const SETTINGS = Object.keys(MonitorCreate.properties) as (keyof MonitorSettings)[]

/** Without its state and its token, which no check needs. */
function settingsOf(monitor: Monitor): MonitorSettings {
  const entries = SETTINGS.map((field) => [field, monitor[field]] as const)
  return Object.fromEntries(entries) as unknown as MonitorSettings
}
