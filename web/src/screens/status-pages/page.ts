// A status page as the screens use it, and its labels.
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import type { ItemOf } from '../../api/contract.ts'
import { statusPagesText as TEXT } from '../../messages/publishing/status-pages.ts'

export const CRUMBS = [{ label: TEXT.title, to: PATHS.statusPages }]

export type StatusPageView = ItemOf<'GET /overview/status-pages'>

export const componentsOf = ({ sections }: Pick<StatusPageView, 'sections'>) =>
  sections.flatMap(({ name: section, components }) =>
    components.map((component) => ({ ...component, section })),
  )

/** `12 components in 3 sections`. */
export function contentsLabel(page: Pick<StatusPageView, 'sections'>): string {
  const count = componentsOf(page).length
  const filled = page.sections.filter(({ components }) => components.length > 0).length
  if (count === 0) return TEXT.nothingYet
  const parts = { components: count, sections: filled }
  return filled > 1 ? TEXT.contentsInSections(parts) : TEXT.contents(parts)
}

/** A URL without its scheme. */
export const plainAddress = (url: string): string => url.replace(/^https?:\/\//, '')
