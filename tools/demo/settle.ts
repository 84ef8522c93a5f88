// Sets up Acme through the dashboard's own API, as its people would: monitors, contacts, pages, webhooks and more.
import { keepAlive, Visitor } from '../../test/kit/private-client.ts'
import type { Watched } from './company.ts'
import { BROKEN_CONTACT, listContacts } from './contacts.ts'
import { listEndpoints, listWindows } from './endpoints-and-windows.ts'
import { listPages, PUBLISHED, type Published } from './publishing.ts'
import type { Addresses } from './targets.ts'

const DAY_MS = 86_400_000

type Id = string
export type Settled = {
  /** In the order they were given. */
  monitors: { id: Id; heartbeatUrl: string | null }[]
  contacts: { id: Id; name: string; isBroken: boolean }[]
  endpoints: { id: Id; url: string; eventTypes: readonly string[]; isBroken: boolean }[]
  windows: Id[]
  pages: Id[]
  published: { id: Id; story: Published }[]
}

type Post = (path: string, body: unknown) => Promise<Record<string, unknown> & { id: Id }>
type Account = { email: string; password: string }

export async function settle(
  { baseUrl, organizationId }: { baseUrl: string; organizationId: string },
  person: Account,
  { watched, at }: { watched: readonly Watched[]; at: Addresses },
): Promise<Settled> {
  const agent = keepAlive()
  const visitor = new Visitor({ baseUrl, agent })
  const post: Post = async (path, body) => {
    const answer = await visitor.post(`/organizations/${organizationId}${path}`, body)
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.text}`)
    return answer.json as Awaited<ReturnType<Post>>
  }
  try {
    await visitor.signIn(person.email, person.password)
    await visitor.patch('/me', { name: 'Ana Keller' })
    await visitor.patch(`/organizations/${organizationId}`, { name: 'Acme' })
    const monitors = await settleMonitors(post, watched)
    const idOf = (name: string) => {
      const found = monitors[watched.findIndex(({ fields }) => fields['name'] === name)]
      if (found === undefined) throw new Error(`No monitor ${name}`)
      return found.id
    }
    const pages: Page[] = []
    for (const page of listPages(idOf)) pages.push((await post('/status-pages', page)) as Page)
    await settlePeople(post)
    return {
      monitors,
      contacts: await settleContacts(post, at),
      endpoints: await settleEndpoints(post, at),
      windows: await settleWindows(post, idOf),
      pages: pages.map(({ id }) => id),
      published: await publish(post, pages),
    }
  } finally {
    agent.destroy()
  }
}

async function settleMonitors(post: Post, watched: readonly Watched[]) {
  const made: Settled['monitors'] = []
  for (const { fields, isPaused } of watched) {
    const { id, heartbeatUrl } = await post('/monitors', fields)
    if (isPaused) await post(`/monitors/${id}/pause`, {})
    made.push({ id, heartbeatUrl: typeof heartbeatUrl === 'string' ? heartbeatUrl : null })
  }
  return made
}

async function settleContacts(post: Post, at: Addresses): Promise<Settled['contacts']> {
  const made: Settled['contacts'] = []
  for (const contact of listContacts(at)) {
    const { id } = await post('/alert-contacts', contact)
    made.push({ id, name: contact.name, isBroken: contact.name === BROKEN_CONTACT })
  }
  return made
}

async function settleEndpoints(post: Post, at: Addresses): Promise<Settled['endpoints']> {
  const made: Settled['endpoints'] = []
  for (const endpoint of listEndpoints(at)) {
    const { id } = await post('/webhook-endpoints', endpoint)
    made.push({ ...endpoint, id, isBroken: endpoint.url.includes('warehouse') })
  }
  return made
}

async function settleWindows(post: Post, idOf: (name: string) => Id): Promise<Id[]> {
  const made: Id[] = []
  for (const window of listWindows(idOf))
    made.push((await post('/maintenance-windows', { ...window, timezone: 'Europe/Berlin' })).id)
  return made
}

async function settlePeople(post: Post): Promise<void> {
  await post('/invitations', { email: 'lena.hofmann@acme.example', role: 'MEMBER' })
  await post('/invitations', { email: 'audit@partner.example', role: 'READ_ONLY' })
  await post('/keys', { name: 'Terraform', access: 'FULL' })
  await post('/keys', { name: 'Wallboard in the office', access: 'READ_ONLY' })
  await post('/keys', {
    name: 'Deploy hook',
    access: 'FULL',
    expiresAt: new Date(Date.now() + 20 * DAY_MS).toISOString(),
  })
}

type Page = { id: Id; sections: { components: { id: Id; name: string }[] }[] }

async function publish(post: Post, pages: readonly Page[]): Promise<Settled['published']> {
  const [page] = pages
  if (page === undefined) return []
  const components = page.sections.flatMap(({ components: own }) => own)
  const made: Settled['published'] = []
  for (const story of PUBLISHED) {
    const [first, ...later] = story.updates
    const { id } = await post('/status-incidents', {
      title: story.title,
      impact: story.impact,
      statusPageIds: [page.id],
      components: components
        .filter(({ name }) => story.affects.includes(name))
        .map((component) => ({ componentId: component.id, state: story.state })),
      message: first?.message,
      status: first?.status,
      notifySubscribers: false,
    })
    for (const { status, message } of later)
      await post(`/status-incidents/${id}/updates`, { status, message, notifySubscribers: false })
    made.push({ id, story })
  }
  return made
}
