import { PAGE_FIELDS, PAGE_LOOK } from '../../domain/status-pages/status-page.ts'
import { examplesOf } from '../fields.ts'
import { operation } from '../operation.ts'
import { Deleted, id, input, PAGE_QUERY, page } from '../schema.ts'
import { Type } from '../type.ts'
import { MONITOR_EXAMPLE } from './monitor.ts'
import {
  MOST_TOKENS_OF_PAGE,
  StatusPageBody,
  StatusPageCreate,
  StatusPageUpdate,
} from './status-page.ts'

export { StatusPageBody as StatusPage, StatusPageCreate, StatusPageUpdate }

const tag = 'Status pages'

export const StatusPageParams = Type.Object({ statusPageId: id('Id of the status page.') })

export const StatusPageList = page(StatusPageBody)

const StatusPageQuery = input({
  ...PAGE_QUERY,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Only pages with this text in name or slug, in any case.',
    }),
  ),
})

const example = examplesOf(PAGE_FIELDS)

export const STATUS_PAGE_EXAMPLE: StatusPageBody = {
  id: 'sp_01m7e3n0kwe7a8005gs2w5hsvz',
  name: example.name,
  slug: example.slug,
  url: 'https://upvane.example.com/status/example-shop',
  description: example.description,
  published: example.published,
  customDomain: example.customDomain,
  customDomainStatus: 'NONE',
  passwordProtected: false,
  ...examplesOf(PAGE_LOOK),
  sections: [
    {
      id: 'sec_01m7e3pw9ke94r001s9twjt3fd',
      name: 'Shop',
      collapsed: false,
      components: [
        {
          id: 'cmp_01m7e3rqzaeaz800121r7h5ew4',
          name: 'Checkout',
          description: null,
          monitorId: MONITOR_EXAMPLE.id,
          state: 'OPERATIONAL',
        },
      ],
    },
  ],
  state: 'OPERATIONAL',
  createdAt: '2026-09-01T08:10:00.000Z',
  updatedAt: '2026-10-12T15:20:44.903Z',
}

export const listStatusPages = operation({
  id: 'listStatusPages',
  method: 'GET',
  path: '/api/v1/status-pages',
  tag,
  summary: 'List status pages',
  description: 'The status pages of the organization, newest first.',
  query: StatusPageQuery,
  reply: {
    status: 200,
    description: 'One page of status pages.',
    body: StatusPageList,
    example: { data: [STATUS_PAGE_EXAMPLE], pagination: { limit: 25, offset: 0, total: 1 } },
  },
})

export const createStatusPage = operation({
  id: 'createStatusPage',
  method: 'POST',
  path: '/api/v1/status-pages',
  tag,
  summary: 'Create a status page',
  description:
    'Only `name` is needed. Send `monitorIds` for a plain list of monitors, or `sections` to group and name them. A slug that is taken or reserved, and a custom domain in use elsewhere, return 409 `conflict`.',
  body: {
    schema: StatusPageCreate,
    required: true,
    mostTokens: MOST_TOKENS_OF_PAGE,
    example: {
      name: 'Example Shop',
      timezone: 'Europe/Berlin',
      sections: [
        { name: 'Shop', components: [{ name: 'Checkout', monitorId: MONITOR_EXAMPLE.id }] },
      ],
    },
  },
  reply: {
    status: 201,
    description: 'The new status page.',
    body: StatusPageBody,
    example: STATUS_PAGE_EXAMPLE,
  },
})

export const getStatusPage = operation({
  id: 'getStatusPage',
  method: 'GET',
  path: '/api/v1/status-pages/{statusPageId}',
  tag,
  summary: 'Get a status page',
  description:
    'The page with its sections, and the state of each component as visitors see it now.',
  params: StatusPageParams,
  reply: {
    status: 200,
    description: 'The status page.',
    body: StatusPageBody,
    example: STATUS_PAGE_EXAMPLE,
  },
})

export const updateStatusPage = operation({
  id: 'updateStatusPage',
  method: 'PATCH',
  path: '/api/v1/status-pages/{statusPageId}',
  tag,
  summary: 'Update a status page',
  description:
    'Changes the fields you send and keeps the others. `sections` is written as a whole: entries with a known `id` are kept, those without are created, missing ones are removed. What a kept entry leaves out stays as it is.',
  params: StatusPageParams,
  body: {
    schema: StatusPageUpdate,
    required: true,
    mostTokens: MOST_TOKENS_OF_PAGE,
    example: { theme: 'DARK', historyDays: 60 },
  },
  reply: {
    status: 200,
    description: 'The status page after the change.',
    body: StatusPageBody,
    example: { ...STATUS_PAGE_EXAMPLE, theme: 'DARK', historyDays: 60 },
  },
})

export const deleteStatusPage = operation({
  id: 'deleteStatusPage',
  method: 'DELETE',
  path: '/api/v1/status-pages/{statusPageId}',
  tag,
  summary: 'Delete a status page',
  description:
    'Removes the page and its subscribers. Published incidents that were on this page alone are removed too.',
  params: StatusPageParams,
  reply: {
    status: 200,
    description: 'The id of the status page that was removed.',
    body: Deleted,
    example: { data: { id: STATUS_PAGE_EXAMPLE.id } },
  },
})
