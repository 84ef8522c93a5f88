// Status pages: the parts that every tool has.
import { isDomain } from './address.ts'
import type { ItemDraft } from './draft.ts'
import { isReservedSlug } from './reserved-slugs.ts'

const MAX_SECTIONS = 50
const MAX_COMPONENTS = 200
const MAX_NAME = 120
const MAX_TEXT = 500
const SHORTEST_HISTORY = 7
const LONGEST_HISTORY = 365
const SLUG = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/
const URL_START = /^https?:\/\/[^\s/]/i

export type ImportedComponent = {
  name?: string
  description?: string
  monitor?: string
  manualState?: string
}
export type ImportedSection = {
  name?: string
  collapsed?: boolean
  components: ImportedComponent[]
}

/** A slug that Upvane does not take is left out: then one is made from the name. */
export function setSlug(draft: ItemDraft, given: string): void {
  if (isReservedSlug(given))
    return draft.change('slug', given, 'one made from the name', 'Upvane uses this word itself.')
  if (given.length >= 3 && given.length <= 63 && SLUG.test(given)) return draft.set('slug', given)
  if (given !== '')
    draft.change('slug', given, 'one made from the name', 'Slugs have 3 to 63 of a-z, 0-9 and -.')
}

export function setCustomDomain(draft: ItemDraft, given: string): void {
  if (given === '') return
  if (!isDomain(given)) return draft.drop('customDomain', given, 'It is no hostname.')
  draft.set('customDomain', given.toLowerCase())
}

export function setPageUrl(draft: ItemDraft, field: string, given: string): void {
  if (given === '') return
  if (given.length > 2048 || !URL_START.test(given) || /[\s\p{Cc}]/u.test(given))
    return draft.drop(field, given.slice(0, 100), 'It is not one of http:// or https://.')
  draft.set(field, given)
}

/** Other tools also take an email address there. */
export function setSupportUrl(draft: ItemDraft, field: string, given: string): void {
  if (!given.startsWith('mailto:')) return setPageUrl(draft, 'supportUrl', given)
  draft.drop(field, given.slice(0, 100), 'Upvane links to a page, not to an email address.')
}

export function setHistoryDays(draft: ItemDraft, given: number): void {
  const days = Math.min(LONGEST_HISTORY, Math.max(SHORTEST_HISTORY, Math.round(given)))
  draft.set('historyDays', days)
  if (days !== given)
    draft.change(
      'history',
      given,
      days,
      `A page shows ${SHORTEST_HISTORY} to ${LONGEST_HISTORY} days.`,
    )
}

/** Empty sections are left out. Returns the components that the page has. */
export function setSections(
  draft: ItemDraft,
  given: readonly ImportedSection[],
): ReadonlySet<ImportedComponent> {
  const shown = new Set<ImportedComponent>()
  const filled = given.filter(({ components }) => components.length > 0)
  let room = MAX_COMPONENTS
  const kept = filled.slice(0, MAX_SECTIONS).flatMap(({ name, ...section }): ImportedSection[] => {
    const fitting = section.components.slice(0, room)
    for (const component of fitting) shown.add(component)
    const components = fitting.map(fitComponent)
    room -= components.length
    const heading = cut(name ?? '', MAX_NAME)
    if (components.length === 0) return []
    return [{ ...(heading !== '' && { name: heading }), ...section, components }]
  })
  const count = (sections: readonly ImportedSection[]): number =>
    sections.reduce((sum, { components }) => sum + components.length, 0)
  if (count(kept) < count(given))
    draft.change(
      'sections',
      `${count(given)} components`,
      `${count(kept)}`,
      `A page has at most ${MAX_SECTIONS} sections and ${MAX_COMPONENTS} components.`,
    )
  if (kept.length > 0) draft.set('sections', kept)
  return shown
}

function fitComponent({ name, description, ...rest }: ImportedComponent): ImportedComponent {
  const shortName = cut(name ?? '', MAX_NAME)
  const shortText = cut(description ?? '', MAX_TEXT)
  // A component without a monitor needs a name.
  const shown = shortName === '' && rest.monitor === undefined ? 'Unnamed' : shortName
  return {
    ...(shown !== '' && { name: shown }),
    ...(shortText !== '' && { description: shortText }),
    ...rest,
  }
}

const cut = (text: string, max: number): string =>
  [...text.replace(/\p{Cc}+/gu, ' ')].slice(0, max).join('').trim()
