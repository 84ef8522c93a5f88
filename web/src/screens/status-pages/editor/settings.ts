// Unsaved changes of the editor. Only differences from the saved page are sent.
import { PAGE_DEFAULTS, PAGE_SETTINGS } from '../../../../../src/domain/status-pages/status-page.ts'
import type { InputOf } from '../../../api/contract.ts'
import type { StatusPageView } from '../page.ts'
import { isSame, newSection, type Structure, structureOf, toInput } from './structure.ts'

/** `password`: undefined keeps it, null removes it, a string sets it. */
export type Settings = Pick<StatusPageView, (typeof PAGE_SETTINGS)[number]> & {
  password?: string | null | undefined
}

/** `from`: the structure before its first change here. */
export type StatusPageDraft = {
  settings: Partial<Settings>
  structure?: Structure
  from?: Structure
}
export const NO_DRAFT: StatusPageDraft = { settings: {} }

/** A new page with the contract's defaults, but public only once it is published. */
export const blankPage = (timezone: string) => ({
  ...PAGE_DEFAULTS,
  published: false,
  name: '',
  slug: '',
  timezone,
  passwordProtected: false,
  sections: [],
})
export type Blank = ReturnType<typeof blankPage>
/** An existing page or a new one. */
export type Base = StatusPageView | Blank

export const isSaved = (page: Base): page is StatusPageView => 'id' in page

export const shownSettings = (page: Base, { settings }: StatusPageDraft): Settings => ({
  // Safe because the list holds every setting.
  ...(Object.fromEntries(PAGE_SETTINGS.map((name) => [name, page[name]])) as Settings),
  ...settings,
})

const FIRST = [newSection(null)]

export function shownStructure(page: Base, { structure }: StatusPageDraft): Structure {
  return structure ?? (isSaved(page) ? structureOf(page) : FIRST)
}

export const withStructure = (
  page: Base,
  draft: StatusPageDraft,
  structure: Structure,
): StatusPageDraft => ({
  ...draft,
  structure,
  from: draft.from ?? shownStructure(page, draft),
})

/** Sections are saved as a whole, so ours would overwrite what another person saved since. */
export const isStale = (page: Base, { from }: StatusPageDraft): boolean =>
  from !== undefined && isSaved(page) && !isSame(from, structureOf(page))

/** The body of a change, and the number of changes. */
export function changesOf(page: Base, draft: StatusPageDraft) {
  const { password, ...settings } = draft.settings
  const entries = Object.entries(settings).filter(
    ([name, value]) => value !== page[name as keyof Blank],
  )
  const { structure } = draft
  const moved = structure !== undefined && !isSame(structure, structureOf(page))
  const body = {
    ...Object.fromEntries(entries),
    ...(password !== undefined && { password }),
    ...(moved && { sections: toInput(structure) }),
  }
  return { body, count: Object.keys(body).length }
}

type Drawn = InputOf<'POST /status-page-drafts'>['body']

/** The renderer's input, never with a password. A half-typed name or slug is left out. */
export function drawnOf(page: Base, draft: StatusPageDraft): Drawn {
  const { body } = changesOf(page, draft)
  const all: Record<string, unknown> = isSaved(page)
    ? { ...body, statusPageId: page.id }
    : { ...shownSettings(page, draft), ...body }
  const { password: _, customDomain: __, slug, name, ...drawn } = all
  const named = typeof name === 'string' && name.trim() !== ''
  return {
    ...drawn,
    ...(named ? { name } : !isSaved(page) && { name: UNNAMED }),
    ...(typeof slug === 'string' && slug.length >= SHORTEST_SLUG && { slug }),
  } as Drawn
}

const UNNAMED = 'Your status page'
const SHORTEST_SLUG = 3

/** The DNS records of a custom domain: proof of ownership, and where it points. */
export function recordsOf(page: Pick<StatusPageView, 'id'>, domain: string, host: string) {
  return [
    { type: 'TXT', name: `_upvane.${domain}`, value: page.id },
    { type: 'CNAME', name: domain, value: host },
  ]
}
