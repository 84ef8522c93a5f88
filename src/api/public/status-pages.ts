import { createStatusPage } from '../../actions/status-pages/create.ts'
import { deleteStatusPage } from '../../actions/status-pages/delete.ts'
import { type PagePatch, updateStatusPage } from '../../actions/status-pages/update.ts'
import * as contract from '../../contract/public/status-pages.ts'
import { type PageInput, pageInputProblems } from '../../domain/status-pages/rules.ts'
import { type StatusPage, toApiStatusPage } from '../../domain/status-pages/status-page.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { notFound } from '../../platform/api-error.ts'
import { hashPassword } from '../../platform/crypto/password.ts'
import { KeyedConcurrencyLimit } from '../../platform/limits/keyed-concurrency-limit.ts'
import * as pages from '../../store/status-pages/status-pages.ts'
import { Audited, compared } from '../http/audited.ts'
import {
  type BodyRules,
  type BoundOperation,
  bind,
  type Handler,
  type Prepare,
} from '../http/bind.ts'
import { pageFields } from './audited-page.ts'

// One at a time across all organizations, in turn, so that sign-in always has capacity of its own.
const hashing = new KeyedConcurrencyLimit({
  total: 1,
  perKey: 1,
  maxWaitingPerKey: 500,
  maxWaitMs: 60_000,
})

/** Base URLs of the service itself and of the public pages. */
type Addresses = { baseUrl: string; statusBaseUrl: string }

export function statusPageOperations({
  baseUrl,
  statusBaseUrl,
}: Addresses): readonly BoundOperation[] {
  const ownHosts = [baseUrl, statusBaseUrl].map((url) => new URL(url).hostname)
  const rules: BodyRules = (body) => pageInputProblems(body as PageInput, ownHosts)
  const toApi = (page: StatusPage) => toApiStatusPage(page, statusBaseUrl)
  return [
    bind(contract.listStatusPages, listing(toApi)),
    bind(contract.createStatusPage, creating(toApi), { rules, prepare: hashNew }),
    bind(contract.getStatusPage, getting(toApi)),
    bind(contract.updateStatusPage, updating(toApi), { rules, prepare: hashChanged }),
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

type Hash = string | null

const hashNew: Prepare<typeof contract.createStatusPage, Hash> = async ({ body }, { caller }) =>
  body.password ? hashFor(caller.orgId, body.password) : null

const creating =
  (toApi: ToApi): Handler<typeof contract.createStatusPage, Hash> =>
  async ({ body }, { tx }, passwordHash) =>
    toApi(await createStatusPage(tx, body, passwordHash))

const getting =
  (toApi: ToApi): Handler<typeof contract.getStatusPage> =>
  async ({ params }, { tenant }) => {
    const page = await pages.findPage(tenant, params.statusPageId)
    if (!page) throw notFound('status page')
    return toApi(page)
  }

const hashChanged: Prepare<typeof contract.updateStatusPage, Hash | undefined> = async (
  { params, body: { password } },
  { tenant },
) => {
  if (password === undefined || password === null) return password
  // A page that does not exist costs no hash.
  const page = await pages.findPage(tenant, params.statusPageId)
  return page && hashFor(tenant.orgId, password)
}

const updating =
  (toApi: ToApi): Handler<typeof contract.updateStatusPage, Hash | undefined> =>
  async ({ params, body }, { tx }, passwordHash) => {
    const change = await updateStatusPage(tx, params.statusPageId, body as PagePatch, passwordHash)
    if (!change) throw notFound('status page')
    const { output, detail } = compared(toApi(change.after), change, pageFields)
    // A password is never read back.
    const given = passwordHash === undefined ? [] : [{ field: 'password' }]
    return new Audited(output, { changes: [...(detail.changes ?? []), ...given] })
  }

const hashFor = (orgId: string, password: string): Promise<string> =>
  hashing.run(orgId, () => hashPassword(password))

const remove: Handler<typeof contract.deleteStatusPage> = async ({ params }, { tx }) => {
  if (!(await deleteStatusPage(tx, params.statusPageId))) throw notFound('status page')
  return { data: { id: toPublicId('sp', params.statusPageId) } }
}
