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
import type { Change } from '../../domain/people/audit-entry.ts'
import { toPublicId } from '../../domain/values/id.ts'
import type { Problem } from '../../domain/values/problem.ts'
import { notFound } from '../../platform/api-error.ts'
import * as tags from '../../store/monitors/tags.ts'
import { compared, plain, plainFields } from '../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'

const list: Handler<typeof contract.listTags> = async (_input, { tenant }) => ({
  data: (await tags.listTags(tenant)).map(toListed),
})

const create: Handler<typeof contract.createTag> = async ({ body }, { tx }) =>
  toListed({
    ...(await createTag(tx, toTagName(body.name))),
    monitors: 0,
    pages: [],
    regions: null,
  })

const rename: Handler<typeof contract.renameTag> = async ({ params, body }, { tx }) => {
  const change = await renameTag(tx, { uuid: params.tagId, name: toTagName(body.name) })
  if (!change) throw notFound('tag')
  return compared(toListed(change.after), change, (tag) => plainFields(tag, ['name']))
}

const remove: Handler<typeof contract.deleteTag> = async ({ params }, { tx }) => {
  if (!(await tags.deleteTag(tx, params.tagId))) throw notFound('tag')
  return { data: { id: toPublicId('tag', params.tagId) } }
}

const set: Handler<typeof contract.setMonitorTags> = async ({ params, body }, { tx }) => {
  const change = await setMonitorTags(tx, params.monitorId, distinctTagNames(body.names))
  if (!change) throw notFound('monitor')
  return withTags(change)
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

/** The response to a change of a monitor's tags. */
export const withTags = (change: Change<Tag[]>) =>
  compared({ tags: change.after.map(toApiTag) }, change, (own) => ({
    tags: plain(own.map(({ name }) => name)),
  }))

export const tagOperations: readonly BoundOperation[] = [
  bind(contract.listTags, list),
  bind(contract.createTag, create, { rules: nameRules }),
  bind(contract.renameTag, rename, { rules: nameRules }),
  bind(contract.deleteTag, remove),
  bind(contract.setMonitorTags, set, { rules: namesRules }),
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

export const toListed = ({ monitors, pages, regions, ...tag }: tags.ListedTag) => ({
  ...toApiTag(tag),
  monitors,
  statusPages: pages,
  regions: regions && { ...regions, regions: [...regions.regions] },
})
