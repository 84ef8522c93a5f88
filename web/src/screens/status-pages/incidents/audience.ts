// Which pages an incident is published on: those that show an affected component, and those chosen by hand.
import { publishText } from '../../../messages/publishing/incidents.ts'
import type { StatusPageView } from '../page.ts'
import type { StatusIncidentDraft } from './incident-draft.ts'

type Placed = Pick<StatusIncidentDraft, 'components' | 'statusPageIds'>
type Pages = readonly StatusPageView[]

const componentsOf = ({ sections }: StatusPageView) =>
  sections.flatMap(({ components }) => components)

const pageOf = (pages: Pages, componentId: string): string | undefined =>
  pages.find((page) => componentsOf(page).some(({ id }) => id === componentId))?.id

/**
 * The pages after the components changed. A new component adds its page; a page without any component left goes, unless
 * it is one of `kept`.
 */
export function withComponents(
  pages: Pages,
  before: Placed,
  components: Placed['components'],
  kept: readonly string[],
): Placed {
  const pagesOf = (list: Placed['components']) =>
    list.flatMap(({ componentId }) => pageOf(pages, componentId) ?? [])
  const needed = pagesOf(components)
  const released = pagesOf(before.components).filter(
    (id) => !needed.includes(id) && !kept.includes(id),
  )
  const left = before.statusPageIds.filter((id) => !released.includes(id))
  const had = before.components.map(({ componentId }) => componentId)
  const added = pagesOf(components.filter(({ componentId }) => !had.includes(componentId)))
  return { components, statusPageIds: [...new Set([...left, ...added])] }
}

/** A page that was removed takes its components along: the server rejects those of other pages. */
export function withPages(
  pages: Pages,
  { components }: Pick<Placed, 'components'>,
  statusPageIds: string[],
): Placed {
  const remains = ({ componentId }: { componentId: string }) => {
    const page = pageOf(pages, componentId)
    return page === undefined || statusPageIds.includes(page)
  }
  return { components: components.filter(remains), statusPageIds }
}

/** Chosen pages that show none of the affected components, under any id, each with the names it lacks. */
export function pagesWithout(
  pages: Pages,
  { components, statusPageIds }: Placed,
): { page: string; components: string[] }[] {
  const all = pages.flatMap(componentsOf)
  const affected = all.filter(({ id }) => components.some(({ componentId }) => componentId === id))
  if (affected.length === 0) return []
  const isShown = (page: StatusPageView) =>
    componentsOf(page).some(({ id, monitorId }) =>
      affected.some((one) => one.id === id || (monitorId !== null && one.monitorId === monitorId)),
    )
  const names = [...new Set(affected.map(({ name }) => name))]
  return pages
    .filter((page) => statusPageIds.includes(page.id) && !isShown(page))
    .map(({ name }) => ({ page: name, components: names }))
}

/** A button with a longer name of a page would not fit beside another. */
const LONGEST_NAME = 40

/** Names the audience and its size. */
export function publishLabel(names: readonly string[], subscribers: number): string {
  const [name] = names
  if (name === undefined) return publishText.publish
  const pages = names.length
  if (pages === 1 && name.length <= LONGEST_NAME)
    return subscribers === 0
      ? publishText.publishTo({ name })
      : publishText.publishAndNotify({ name, subscribers })
  return subscribers === 0
    ? publishText.publishToMany({ pages })
    : publishText.publishToManyAndNotify({ pages, subscribers })
}
