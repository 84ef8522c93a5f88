// What already exists: the server knows the progress, even if the tab was closed.
import type { ItemOf } from '../../api/contract.ts'
import { useRead } from '../../session/use-api.ts'

export const STEPS = ['monitor', 'contact', 'page', 'key'] as const
export type StepName = (typeof STEPS)[number]

export type FirstMonitor = { id: string; name: string }
export type FirstContact = ItemOf<'GET /alert-contacts'>
/** The result of each finished step. */
export type CreatedItems = { monitor?: FirstMonitor; contact?: string; page?: string; key?: true }

const NEWEST = { query: { limit: 1 } }

export function useCreated() {
  const monitors = useRead('GET /monitors', NEWEST)
  const contacts = useRead('GET /alert-contacts', {})
  const pages = useRead('GET /status-pages', NEWEST)
  const keys = useRead('GET /keys', {})
  const reads = [monitors, contacts, pages, keys]
  const monitor = newestOf(monitors)
  const contact = newestOf(contacts)
  const page = newestOf(pages)
  const created: CreatedItems = {
    ...(monitor && { monitor }),
    ...(contact && { contact: contact.name }),
    ...(page && { page: page.url }),
    ...(newestOf(keys) && { key: true }),
  }
  return {
    made: created,
    contacts: contacts.data?.data ?? [],
    isPending: reads.some(({ isPending }) => isPending),
    failed: reads.find(({ error, data }) => error !== null && data === undefined),
  }
}

const newestOf = <T>({ data }: { data: { data: T[] } | undefined }): T | undefined => data?.data[0]
