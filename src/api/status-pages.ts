import { createStatusPage } from '../actions/create-status-page.ts'
import { deleteStatusPage } from '../actions/delete-status-page.ts'
import { type PagePatch, updateStatusPage } from '../actions/update-status-page.ts'
import * as contract from '../contract/status-pages.ts'
import { fromPublicId } from '../domain/id.ts'
import { type StatusPage, toApiStatusPage } from '../domain/status-page.ts'
import { type PageInput, pageInputProblems } from '../domain/status-page-rules.ts'
import { notFound } from '../platform/api-error.ts'
import * as pages from '../store/status-pages.ts'
import { type BodyRules, type Bound, bind, type Handler } from './bind.ts'

/** Where the service itself and the public pages are found. */
export type Addresses = { baseUrl: string; statusBaseUrl: string }

export function statusPageOperations({ baseUrl, statusBaseUrl }: Addresses): readonly Bound[] {
  const ownHosts = [baseUrl, statusBaseUrl].map((url) => new URL(url).hostname)
  const rules: BodyRules = (body) => pageInputProblems(body as PageInput, ownHosts)
  const toApi = (page: StatusPage) => toApiStatusPage(page, statusBaseUrl)
  return [
    bind(contract.listStatusPages, listing(toApi)),
    bind(contract.createStatusPage, creating(toApi), rules),
    bind(contract.getStatusPage, getting(toApi)),
    bind(contract.updateStatusPage, updating(toApi), rules),
    bind(contract.deleteStatusPage, remove),
  ]
}

type ToApi = (page: StatusPage) => ReturnType<typeof toApiStatusPage>

const listing =
  (toApi: ToApi): Handler<typeof contract.listStatusPages> =>
  async ({ query }, { tenant }) => {
    const { limit, offset } = query
    const found = await pages.listPages(tenant, query)
    return { data: found.pages.map(toApi), pagination: { limit, offset, total: found.total } }
  }

const creating =
  (toApi: ToApi): Handler<typeof contract.createStatusPage> =>
  async ({ body }, { tx }) =>
    toApi(await createStatusPage(tx, body))

const getting =
  (toApi: ToApi): Handler<typeof contract.getStatusPage> =>
  async ({ params }, { tenant }) => {
    const uuid = fromPublicId('sp', params.statusPageId)
    const page = uuid && (await pages.findPage(tenant, uuid))
    if (!page) throw notFound('status page')
    return toApi(page)
  }

const updating =
  (toApi: ToApi): Handler<typeof contract.updateStatusPage> =>
  async ({ params, body }, { tx }) => {
    const uuid = fromPublicId('sp', params.statusPageId)
    const page = uuid && (await updateStatusPage(tx, uuid, body as PagePatch))
    if (!page) throw notFound('status page')
    return toApi(page)
  }

const remove: Handler<typeof contract.deleteStatusPage> = async ({ params }, { tx }) => {
  const uuid = fromPublicId('sp', params.statusPageId)
  if (uuid === undefined || !(await deleteStatusPage(tx, uuid))) throw notFound('status page')
  return { data: { id: params.statusPageId } }
}
