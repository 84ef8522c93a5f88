// Tags of monitors, beside the fields of the public API.
import type { Static } from 'typebox'
import { MAX_TAG_CHARACTERS, MAX_TAGS_OF_MONITOR } from '../../domain/monitors/tag.ts'
import { closed, Deleted, input, orNull, PAGE_QUERY, page } from '../schema.ts'
import { Type } from '../type.ts'
import { displayName } from './display-name.ts'
import { ChosenRegions } from './monitors/region-settings.ts'
import { privateOperation } from './operation.ts'

const TagParams = Type.Object({
  tagId: Type.String({ description: 'Id of the tag.' }),
})
const PATH = '/tags'

/** Spaces around it do not count. */
export const tagName = Type.String({
  ...displayName,
  maxLength: MAX_TAG_CHARACTERS,
  description: 'Name for people. No two tags differ only in case.',
})
export const TagInput = input({ name: tagName })

export const MonitorTag = closed({
  id: Type.String({ description: 'Id of the tag.' }),
  name: Type.String({ description: 'Name for people.' }),
})
export type MonitorTag = Static<typeof MonitorTag>
export const ListedTag = closed({
  ...MonitorTag.properties,
  monitors: Type.Integer({ description: 'How many monitors have it.' }),
  statusPages: Type.Array(Type.String(), {
    description:
      'Names of the status pages with a section that follows it: they show every monitor that has it.',
  }),
  regions: orNull(ChosenRegions, 'The regions that were chosen for it. Null if none were.'),
})

/** By name. */
export const listTags = privateOperation({
  id: 'listTags',
  method: 'GET',
  path: PATH,
  who: 'READ_ONLY',
  reply: { status: 200, body: closed({ data: Type.Array(ListedTag) }) },
})

export const createTag = privateOperation({
  id: 'createTag',
  method: 'POST',
  path: PATH,
  who: 'MEMBER',
  needsSubscription: true,
  body: { schema: TagInput, required: true },
  reply: { status: 201, body: ListedTag },
})

export const renameTag = privateOperation({
  id: 'renameTag',
  method: 'PATCH',
  path: `${PATH}/{tagId}`,
  who: 'MEMBER',
  needsSubscription: true,
  params: TagParams,
  body: { schema: TagInput, required: true },
  reply: { status: 200, body: ListedTag },
})

/** Monitors that have it lose it. */
export const deleteTag = privateOperation({
  id: 'deleteTag',
  method: 'DELETE',
  path: `${PATH}/{tagId}`,
  who: 'MEMBER',
  params: TagParams,
  reply: { status: 200, body: Deleted },
})

/** Replaces the tags of a monitor. Names that are not tags yet become tags. */
export const setMonitorTags = privateOperation({
  id: 'setMonitorTags',
  method: 'POST',
  path: '/monitors/{monitorId}/tags',
  who: 'MEMBER',
  needsSubscription: true,
  params: Type.Object({ monitorId: Type.String() }),
  body: {
    schema: input({ names: Type.Array(tagName, { maxItems: MAX_TAGS_OF_MONITOR }) }),
    required: true,
  },
  reply: { status: 200, body: closed({ tags: Type.Array(MonitorTag) }) },
})

/** Only monitors that have tags. */
export const listTaggedMonitors = privateOperation({
  id: 'listTaggedMonitors',
  method: 'GET',
  path: '/tagged-monitors',
  who: 'READ_ONLY',
  query: input(PAGE_QUERY),
  reply: {
    status: 200,
    body: page(
      closed({
        /** Of the monitor. */
        id: Type.String(),
        tags: Type.Array(MonitorTag),
      }),
    ),
  },
})

export const TAG_OPERATIONS = [
  listTags,
  createTag,
  renameTag,
  deleteTag,
  setMonitorTags,
  listTaggedMonitors,
] as const
