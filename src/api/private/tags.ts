import { createTag } from '../../actions/tags/create.ts'
import { renameTag } from '../../actions/tags/rename.ts'
import { setMonitorTags } from '../../actions/tags/set.ts'
import * as contract from '../../contract/private/tags.ts'
import {
  distinctTagNames,
  type Tag,
  tagNameProblems,
  toTagName,
} from '../../domain/monitors/tag.ts'
import { toPublicId } from '../../domain/values/id.ts'
import type { Problem } from '../../domain/values/problem.ts'
import { notFound } from '../../platform/api-error.ts'
import * as tags from '../../store/monitors/tags.ts'
import { findTagsOf } from '../../store/monitors/tags.ts'
import { AUDITED_NAME, type Audited, auditedById, plain } from '../http/audited.ts'
import { bind, type Handler } from '../http/bind.ts'
import type { BoundPrivateOperation } from './bind.ts'

const list: Handler<typeof contract.listTags> = async (_input, { tenant }) => ({
  data: (await tags.listTags(tenant)).map(toListed),
})

const create: Handler<typeof contract.createTag> = async ({ body }, { tx }) =>
  toListed({ ...(await createTag(tx, toTagName(body.name))), monitors: 0, pages: [] })

const rename: Handler<typeof contract.renameTag> = async ({ params, body }, { tx }) => {
  const renamed = await renameTag(tx, { uuid: params.tagId, name: toTagName(body.name) })
  if (!renamed) throw notFound('tag')
  return toListed(renamed)
}

const remove: Handler<typeof contract.deleteTag> = async ({ params }, { tx }) => {
  if (!(await tags.deleteTag(tx, params.tagId))) throw notFound('tag')
  return { data: { id: toPublicId('tag', params.tagId) } }
}

const set: Handler<typeof contract.setMonitorTags> = async ({ params, body }, { tx }) => {
  const now = await setMonitorTags(tx, params.monitorId, distinctTagNames(body.names))
  if (!now) throw notFound('monitor')
  return { tags: now.map(toApiTag) }
}

const listTagged: Handler<typeof contract.listTaggedMonitors> = async ({ query }, { tenant }) => {
  const { monitors, total } = await tags.listTaggedMonitors(tenant, query)
  return {
    data: monitors.map((one) => ({
      id: toPublicId('mon', one.uuid),
      tags: one.tags.map(toApiTag),
    })),
    pagination: { ...query, total },
  }
}

/** Of a monitor. */
export const AUDITED_TAGS: Audited = auditedById('mon', async (tx, uuid) => ({
  tags: plain((await findTagsOf(tx, uuid))?.map(({ name }) => name) ?? []),
}))

export const tagOperations: readonly BoundPrivateOperation[] = [
  bind(contract.listTags, list),
  bind(contract.createTag, create, { rules: nameRules }),
  bind(contract.renameTag, rename, { rules: nameRules, audited: AUDITED_NAME }),
  bind(contract.deleteTag, remove),
  bind(contract.setMonitorTags, set, { rules: namesRules, audited: AUDITED_TAGS }),
  bind(contract.listTaggedMonitors, listTagged),
]

function nameRules({ name }: Record<string, unknown>): Problem[] {
  return typeof name === 'string' ? tagNameProblems('name', name) : []
}

function namesRules({ names }: Record<string, unknown>): Problem[] {
  if (!Array.isArray(names)) return []
  return names.flatMap((name, at) => tagNameProblems(`names.${at}`, String(name)))
}

export function toApiTag({ uuid, name }: Tag): contract.MonitorTag {
  return { id: toPublicId('tag', uuid), name }
}

export const toListed = ({ monitors, pages, ...tag }: tags.ListedTag) => ({
  ...toApiTag(tag),
  monitors,
  statusPages: pages,
})
