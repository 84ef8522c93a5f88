import { changeTags } from '../../actions/tags/change.ts'
import { tagsRefusal } from '../../actions/tags/refusal.ts'
import * as contract from '../../contract/ext/tags.ts'
import { TagInput } from '../../contract/private/tags.ts'
import { type Tag, tagKey, tagNameProblems, toTagName } from '../../domain/monitors/tag.ts'
import { fromPublicId } from '../../domain/values/id.ts'
import { notFound, validationError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { findTagsOf, type ListedTag, listTags } from '../../store/monitors/tags.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'
import { compile, type Schema } from '../http/input/validation.ts'
import { toListed, withTags } from '../private/tags.ts'
import { pageOf } from './page-of.ts'

const list: Handler<typeof contract.listTags> = async ({ query }, { tenant }) => {
  const newestFirst = (await listTags(tenant)).toSorted((a, b) => (a.uuid < b.uuid ? 1 : -1))
  return pageOf(newestFirst.map(toListed), query)
}

const add: Handler<typeof contract.addMonitorTag> = async ({ params }, { tx }) => {
  const monitorUuid = params.monitorId
  const before = await lockTags(tx, monitorUuid)
  const known = findTag(await listTags(tx), params.tag)
  if (known === undefined) refuseName(params.tag)
  const name = known?.name ?? toTagName(params.tag)
  const changed = await changeTags(tx, [monitorUuid], { add: [name], remove: [] })
  if (changed.length === 0) {
    const all = [...before, findTag(await listTags(tx), name)]
    throw await tagsRefusal(
      tx,
      all.flatMap((tag) => tag?.uuid ?? []),
      'tag',
    )
  }
  return withTags({ before, after: (await findTagsOf(tx, monitorUuid)) ?? [] })
}

const remove: Handler<typeof contract.removeMonitorTag> = async ({ params }, { tx }) => {
  const monitorUuid = params.monitorId
  const before = await lockTags(tx, monitorUuid)
  const tag = findTag(await listTags(tx), params.tag)
  if (tag === undefined) throw notFound('tag')
  await changeTags(tx, [monitorUuid], { add: [], remove: [tag.uuid] })
  return withTags({ before, after: (await findTagsOf(tx, monitorUuid)) ?? [] })
}

export const tagOperations: readonly BoundOperation[] = [
  bind(contract.listTags, list),
  bind(contract.addMonitorTag, add),
  bind(contract.removeMonitorTag, remove),
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

/** Until the transaction ends, nobody else changes tags. */
async function lockTags(tx: TenantTx, monitorUuid: string): Promise<Tag[]> {
  await lockUsage(tx)
  const tags = await findTagsOf(tx, monitorUuid)
  if (tags === undefined) throw notFound('monitor')
  return tags
}
