import type { Static } from 'typebox'
import * as own from '../private/tags.ts'
import { closed, id, input, PAGE_QUERY, page } from '../schema.ts'
import { Type } from '../type.ts'
import { extOperation, forKeys } from './operation.ts'

const tag = 'Tags'
const PATH = '/api/ext/v1/tags'

export const TagList = page(own.ListedTag)
export const MonitorTags = closed({
  tags: Type.Array(own.MonitorTag, { description: 'The tags of the monitor, by name.' }),
})

const TAG_ID = 'tag_01m7e43y1ne6a8002504v5j15s'
const TAG: Static<typeof own.ListedTag> = {
  id: TAG_ID,
  name: 'Production',
  monitors: 12,
  statusPages: ['Example Shop'],
  regions: null,
}
const TAGGED = { tags: [{ id: TAG_ID, name: 'Production' }] }

export const listTags = extOperation({
  id: 'listTags',
  method: 'GET',
  path: PATH,
  tag,
  summary: 'List tags',
  description: 'The tags of the organization, newest first.',
  query: input(PAGE_QUERY),
  reply: {
    status: 200,
    description: 'One page of tags.',
    body: TagList,
    example: { data: [TAG], pagination: { limit: 25, offset: 0, total: 1 } },
  },
})

const MonitorTagParams = Type.Object({
  monitorId: id('Id of the monitor.'),
  tag: id('Id or name of the tag.'),
})

export const addMonitorTag = extOperation({
  id: 'addMonitorTag',
  method: 'PUT',
  path: '/api/ext/v1/monitors/{monitorId}/tags/{tag}',
  tag,
  summary: 'Add a tag to a monitor',
  description: 'By id or by name. A name that is not a tag yet becomes one. Takes no body.',
  params: MonitorTagParams,
  reply: {
    status: 200,
    description: 'The tags of the monitor.',
    body: MonitorTags,
    example: TAGGED,
  },
})

export const removeMonitorTag = extOperation({
  id: 'removeMonitorTag',
  method: 'DELETE',
  path: '/api/ext/v1/monitors/{monitorId}/tags/{tag}',
  tag,
  summary: 'Remove a tag from a monitor',
  description: 'By id or by name. The tag itself stays.',
  params: MonitorTagParams,
  reply: {
    status: 200,
    description: 'The tags that the monitor still has.',
    body: MonitorTags,
    example: { tags: [] },
  },
})

export const TAG_OPERATIONS = [
  listTags,
  forKeys(own.createTag, {
    tag,
    summary: 'Create a tag',
    description: 'An organization has at most 200 tags.',
    example: { name: 'Production' },
    reply: { description: 'The new tag.', example: { ...TAG, monitors: 0, statusPages: [] } },
  }),
  forKeys(own.renameTag, {
    tag,
    summary: 'Rename a tag',
    example: { name: 'Production' },
    reply: { description: 'The tag.', example: TAG },
  }),
  forKeys(own.deleteTag, {
    tag,
    summary: 'Delete a tag',
    description: 'Monitors that have it lose it.',
    reply: { description: 'The tag is deleted.', example: { data: { id: TAG_ID } } },
  }),
  addMonitorTag,
  removeMonitorTag,
] as const
