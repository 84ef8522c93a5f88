import { runBulkRound } from '../../actions/bulks/run-round.ts'
import { startBulk } from '../../actions/bulks/start.ts'
import type { OperationInput } from '../../contract/operation.ts'
import * as contract from '../../contract/private/monitor-bulks.ts'
import {
  type BulkChange,
  bulkRole,
  MAX_BULK_MONITORS,
  needsSubscription,
} from '../../domain/monitors/bulk.ts'
import { distinctTagNames, tagNameProblems } from '../../domain/monitors/tag.ts'
import { toAuditValue } from '../../domain/people/audit-entry.ts'
import { allows, type Role } from '../../domain/people/role.ts'
import { fromPublicId, type IdPrefix, toPublicId } from '../../domain/values/id.ts'
import type { Problem } from '../../domain/values/problem.ts'
import { ApiError, notFound } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import * as bulks from '../../store/monitors/bulks.ts'
import { findMonitorListPage } from '../../store/views/monitor-list-page.ts'
import { Audited } from '../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'
import { toListFilter } from './screens/monitor-list.ts'

type Wish = OperationInput<typeof contract.startBulkChange>['body']
type Member = { role: Role; caller: { subscriptionActive: boolean } }

const start: Handler<typeof contract.startBulkChange> = async ({ body }, context) => {
  const change = toChange(body)
  refuseMember(change, context)
  const targets = await findTargets(context.tx, body)
  const bulk = toApiBulk(await startBulk(context.tx, change, targets))
  const { intervalSeconds, addTags } = body
  // A bulk has no old values.
  const given = Object.entries({ intervalSeconds, addTags })
    .map(([field, value]) => ({ field, to: toAuditValue(value) }))
    .filter(({ to }) => to !== null)
  return new Audited(bulk, { changes: given, count: bulk.total, verb: bulk.do })
}

const get: Handler<typeof contract.getBulkChange> = async ({ params }, { tenant }) => {
  const bulk = await bulks.findBulk(tenant, params.bulkId)
  if (!bulk) throw notFound('change')
  return toApiBulk(bulk)
}

const runRound: Handler<typeof contract.continueBulkChange> = async ({ params }, context) => {
  const refuse = (change: BulkChange) => refuseMember(change, context)
  const bulk = await runBulkRound(context.tx, params.bulkId, refuse)
  if (!bulk) throw notFound('change')
  return toApiBulk(bulk)
}

export const monitorBulkOperations: readonly BoundOperation[] = [
  bind(contract.startBulkChange, start, { rules: startRules }),
  bind(contract.getBulkChange, get),
  bind(contract.continueBulkChange, runRound),
]

function startRules(body: Record<string, unknown>): Problem[] {
  const isNamed = body['monitorIds'] !== undefined
  const problems: Problem[] = []
  if (isNamed === (body['filter'] !== undefined))
    problems.push({ path: 'monitorIds', message: 'is required, or filter, and not both' })
  if (body['do'] === 'INTERVAL' && body['intervalSeconds'] === undefined)
    problems.push({ path: 'intervalSeconds', message: 'is required for INTERVAL' })
  const names = Array.isArray(body['addTags']) ? body['addTags'] : []
  return [
    ...problems,
    ...names.flatMap((name, at) => tagNameProblems(`addTags.${at}`, String(name))),
  ]
}

/** The rules of changing one monitor: a bulk is no way around them. */
function refuseMember({ do: verb }: BulkChange, { role, caller }: Member): void {
  if (!allows(role, bulkRole(verb)))
    throw new ApiError('forbidden', 'Your role in this organization does not allow this.')
  if (needsSubscription(verb) && !caller.subscriptionActive)
    throw new ApiError('subscription_required', 'The organization has no active subscription.')
}

function toChange(body: Wish): BulkChange {
  switch (body.do) {
    case 'INTERVAL':
      return { do: body.do, intervalSeconds: body.intervalSeconds ?? 0 }
    case 'CONTACTS': {
      const attach = uuidsOf('act', body.attachContactIds)
      return { do: body.do, attach, detach: uuidsOf('act', body.detachContactIds) }
    }
    case 'TAGS': {
      const add = distinctTagNames(body.addTags)
      return { do: body.do, add, remove: uuidsOf('tag', body.removeTagIds) }
    }
    default:
      return { do: body.do }
  }
}

const uuidsOf = (prefix: IdPrefix, ids: readonly string[]): string[] => [
  ...new Set(ids.flatMap((id) => fromPublicId(prefix, id) ?? [])),
]

async function findTargets(tx: TenantTx, { monitorIds, filter, expected }: Wish) {
  const uuids = uuidsOf('mon', monitorIds ?? [])
  const nos = filter === undefined ? [] : await findMatching(tx, filter)
  const targets = await bulks.findBulkTargets(tx, { nos, uuids })
  if (targets.length > MAX_BULK_MONITORS)
    throw new ApiError(
      'plan_limit',
      `At most ${MAX_BULK_MONITORS} monitors can be changed at once.`,
    )
  if (targets.length > expected)
    throw new ApiError('conflict', `By now ${targets.length} monitors match, not ${expected}.`)
  return targets
}

async function findMatching(tx: TenantTx, filter: NonNullable<Wish['filter']>): Promise<number[]> {
  const order = { sort: 'name', reversed: false } as const
  const page = { limit: MAX_BULK_MONITORS + 1, offset: 0 }
  return (await findMonitorListPage(tx, toListFilter({ ...filter, ...order }), page)).nos
}

function toApiBulk({ uuid, change, total, changed, refused }: bulks.Bulk) {
  const left = total - changed - refused
  return { id: toPublicId('blk', uuid), do: change.do, total, changed, refused, left }
}
