// Many monitors at once, and checks that change nothing.
import { createMonitor } from '../../actions/monitors/create.ts'
import type { RequestTrial } from '../../actions/monitors/request-check.ts'
import { limitRequests } from '../../actions/people/limit-tries.ts'
import * as contract from '../../contract/ext/monitors.ts'
import { pickFields } from '../../domain/fields/field.ts'
import {
  MONITOR_SETTINGS,
  type MonitorSettings,
  toApiMonitor,
} from '../../domain/monitors/monitor.ts'
import { distinctTagNames, tagNameProblems } from '../../domain/monitors/tag.ts'
import { fromPublicId, NIL_UUID, toPublicId } from '../../domain/values/id.ts'
import type { Problem } from '../../domain/values/problem.ts'
import { ApiError, notFound, validationError } from '../../platform/api-error.ts'
import { listContactsOf } from '../../store/alerts/contact-monitors.ts'
import { listRegionNames } from '../../store/core/regions.ts'
import type { Tenant, TenantTx } from '../../store/core/tenants.ts'
import { findMonitor } from '../../store/monitors/monitors.ts'
import { findTagsOf, listTags } from '../../store/monitors/tags.ts'
import { subjectOf } from '../../store/people/sign-in-windows.ts'
import { listMonitorDetails, type MonitorWithAttached } from '../../store/views/monitor-details.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'
import type { WaitingContext } from '../http/contexts.ts'
import { toApiTag } from '../private/tags.ts'
import { toTrialResult, trialRules } from '../private/try-monitor.ts'
import { createRules, toSettings } from '../public/monitors.ts'
import type { PeopleFor } from './served-to-keys.ts'
import { findTag } from './tags.ts'

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
  const { tags, contactUuids, managedBy, regions } = attached
  return {
    ...toApiMonitor(monitor, baseUrl),
    tags: tags.map(toApiTag),
    alertContactIds: contactUuids.map((uuid) => toPublicId('act', uuid)),
    managedBy,
    regions: regions && { ...regions, regions: [...regions.regions] },
  }
}

const create: Handler<typeof contract.createMonitorDetail> = async ({ body }, context) => {
  const { tx, baseUrl } = context
  const { contactIds, tags, paused, regions, ...fields } = body
  const monitor = await createMonitor(tx, toSettings(fields), {
    // What is no id is no contact either: the action refuses both, each at its place.
    contactUuids: contactIds?.map((id) => fromPublicId('act', id) ?? NIL_UUID),
    tags: await toTagNames(tx, tags),
    paused,
    regions,
  })
  const attached = {
    tags: (await findTagsOf(tx, monitor.uuid)) ?? [],
    contactUuids: await listContactsOf(tx, monitor.uuid),
    managedBy: null,
    regions: regions ?? null,
  }
  return toDetail({ monitor, ...attached }, baseUrl)
}

/** Safe because a list that is invalid on its own is missing here. */
function newMonitorRules(body: Record<string, unknown>): Problem[] {
  const tags = Array.isArray(body['tags']) ? body['tags'].map(String) : []
  return [...createRules(body), ...tags.flatMap((text, at) => tagNameProblems(`tags.${at}`, text))]
}

/** What looks like an id is never meant as a name. */
async function toTagNames(tx: TenantTx, given: readonly string[]): Promise<string[]> {
  if (given.length === 0) return []
  const known = await listTags(tx)
  const found = given.map((text) => findTag(known, text)?.name)
  const problems = given.flatMap((text, at) =>
    found[at] === undefined && fromPublicId('tag', text) !== undefined
      ? [{ path: `tags.${at}`, message: 'must be a tag that exists' }]
      : [],
  )
  if (problems.length > 0) throw validationError(problems)
  return distinctTagNames(given.map((text, at) => found[at] ?? text))
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

  const check: Handler<typeof contract.runCheck> = ({ body }, context) => {
    const { region, ...fields } = body
    return run(context, { draft: toSettings({ ...fields, name: 'Check' }), region })
  }

  const checkMonitor: Handler<typeof contract.runMonitorCheck> = async (input, context) => {
    const uuid = input.params.monitorId
    const monitor = await findMonitor(context.tenants.of(context.caller.orgId), uuid)
    if (!monitor) throw notFound('monitor')
    if (monitor.type === 'CRON')
      throw new ApiError('conflict', 'A CRON monitor waits for pings: there is nothing to check.')
    const { region } = input.body
    // Without its state and its token, which no check needs.
    const draft = pickFields(MONITOR_SETTINGS, monitor)
    return run(context, { draft, region, monitorUuid: uuid })
  }

  return [
    bind(contract.listMonitorDetails, list),
    bind(contract.createMonitorDetail, create, { rules: newMonitorRules }),
    bind(contract.runCheck, check, { rules: checkRules }),
    bind(contract.runMonitorCheck, checkMonitor),
  ]
}

const checkRules = (body: Record<string, unknown>): Problem[] =>
  trialRules({ ...body, name: 'Check' })

async function requireRegion(tenant: Tenant, region: string | undefined): Promise<void> {
  if (region === undefined || (await listRegionNames(tenant)).includes(region)) return
  throw validationError([{ path: 'region', message: 'is not a region of this installation' }])
}
