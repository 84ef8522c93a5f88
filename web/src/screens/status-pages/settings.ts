// What somebody set in the editor and did not save yet: only what differs from the page is sent.
import { PAGE_DEFAULTS, PAGE_SETTINGS } from '../../../../src/domain/status-pages/status-page.ts'
import type { InputOf } from '../../api/contract.ts'
import type { StatusPageView } from './page.ts'
import { isSame, newSection, type Structure, structureOf, toInput } from './structure.ts'

/** `password`: undefined stays, null takes it away, a text sets it. */
export type Settings = Pick<StatusPageView, (typeof PAGE_SETTINGS)[number]> & {
  password?: string | null | undefined
}

/** `from`: the structure as it was when it was first changed here. */
export type StatusPageDraft = {
  settings: Partial<Settings>
  structure?: Structure
  from?: Structure
}
export const NO_DRAFT: StatusPageDraft = { settings: {} }

/** A page that does not exist yet, as the contract makes it unless somebody says otherwise. */
export const blankPage = (timezone: string) => ({
  ...PAGE_DEFAULTS,
  name: '',
  slug: '',
  timezone,
  passwordProtected: false,
  sections: [],
})
export type Blank = ReturnType<typeof blankPage>
/** A page there is, or one to be. */
export type Base = StatusPageView | Blank

export const isSaved = (page: Base): page is StatusPageView => 'id' in page

export const shownSettings = (page: Base, { settings }: StatusPageDraft): Settings => ({
  // Safe because every name of a setting is in the list.
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

/** Sections are saved as a whole: ours would take the place of what somebody else saved since. */
export const isStale = (page: Base, { from }: StatusPageDraft): boolean =>
  from !== undefined && isSaved(page) && !isSame(from, structureOf(page))

/** The body of a change, and how many things it changes. */
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

/** What the renderer is given: never a password. A name or slug that is half typed is not yet one. */
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

/** What has to stand in the DNS of a custom domain: whose it is, and where it leads. */
export function recordsOf(page: Pick<StatusPageView, 'id'>, domain: string, host: string) {
  return [
    { type: 'TXT', name: `_upvane.${domain}`, value: page.id },
    { type: 'CNAME', name: domain, value: host },
  ]
}
