import { changeTags } from '../../actions/tags/change.ts'
import * as contract from '../../contract/ext/tags.ts'
import { TagInput } from '../../contract/private/tags.ts'
import {
  MAX_TAGS_OF_MONITOR,
  type Tag,
  tagKey,
  tagNameProblems,
  toTagName,
} from '../../domain/monitors/tag.ts'
import { fromPublicId } from '../../domain/values/id.ts'
import { ApiError, notFound, validationError } from '../../platform/api-error.ts'
import type { Tenant, TenantTx } from '../../store/core/tenants.ts'
import { findTagsOf, type ListedTag, listTags } from '../../store/monitors/tags.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'
import { compile, type Schema } from '../http/input/validation.ts'
import { AUDITED_TAGS, toApiTag, toListed } from '../private/tags.ts'
import { pageOf } from './page-of.ts'

const list: Handler<typeof contract.listTags> = async ({ query }, { tenant }) => {
  const newestFirst = (await listTags(tenant)).toSorted((a, b) => (a.uuid < b.uuid ? 1 : -1))
  return pageOf(newestFirst.map(toListed), query)
}

const add: Handler<typeof contract.addMonitorTag> = async ({ params }, { tx }) => {
  const monitorUuid = params.monitorId
  await assertMonitor(tx, monitorUuid)
  const known = findTag(await listTags(tx), params.tag)
  if (known === undefined) refuseName(params.tag)
  const name = known?.name ?? toTagName(params.tag)
  const changed = await changeTags(tx, [monitorUuid], { add: [name], remove: [] })
  if (changed.length === 0)
    throw new ApiError('plan_limit', `A monitor may have ${MAX_TAGS_OF_MONITOR} tags.`)
  return tagsNow(tx, monitorUuid)
}

const remove: Handler<typeof contract.removeMonitorTag> = async ({ params }, { tx }) => {
  const monitorUuid = params.monitorId
  await assertMonitor(tx, monitorUuid)
  const tag = findTag(await listTags(tx), params.tag)
  if (tag === undefined) throw notFound('tag')
  await changeTags(tx, [monitorUuid], { add: [], remove: [tag.uuid] })
  return tagsNow(tx, monitorUuid)
}

export const tagOperations: readonly BoundOperation[] = [
  bind(contract.listTags, list),
  bind(contract.addMonitorTag, add, { audited: AUDITED_TAGS }),
  bind(contract.removeMonitorTag, remove, { audited: AUDITED_TAGS }),
]

// Paths are not validated by a schema, so a name is judged like the one in a body.
const validateName = compile(TagInput as unknown as Schema)

/** By id or by name. */
export function findTag(tags: readonly ListedTag[], idOrName: string): Tag | undefined {
  const uuid = fromPublicId('tag', idOrName)
  const key = tagKey(idOrName)
  return tags.find((tag) => tag.uuid === uuid) ?? tags.find((tag) => tagKey(tag.name) === key)
}

/** What looks like an id is never meant as a name. */
function refuseName(text: string): void {
  if (fromPublicId('tag', text) !== undefined) throw notFound('tag')
  const found = validateName({ name: text }).problems
  const named = found.map(({ message }) => ({ path: 'tag', message }))
  const problems = named.length > 0 ? named : tagNameProblems('tag', text)
  if (problems.length > 0) throw validationError(problems)
}

async function assertMonitor(tx: TenantTx, uuid: string): Promise<void> {
  if ((await findTagsOf(tx, uuid)) === undefined) throw notFound('monitor')
}

async function tagsNow(tenant: Tenant, monitorUuid: string) {
  return { tags: ((await findTagsOf(tenant, monitorUuid)) ?? []).map(toApiTag) }
}
