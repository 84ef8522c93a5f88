// Rules for the fields of a status page beyond their format, as far as the request alone shows.
import type { Problem } from '../values/problem.ts'
import { isTimezone } from '../values/timezone.ts'
import { type Contents, countProblems, type SectionInput } from './sections.ts'
import type { PageSettings } from './status-page.ts'

export type PageInput = Partial<PageSettings> & Contents

const ADDRESSES = ['logoUrl', 'faviconUrl', 'homepageUrl', 'supportUrl'] as const

/** `ownHosts`: the host names of this service. */
export function pageInputProblems(input: PageInput, ownHosts: readonly string[]): Problem[] {
  const { sections, monitorIds, timezone, customDomain } = input
  const problems: Problem[] = ADDRESSES.filter((name) => !isHttpUrl(input[name] ?? null)).map(
    (path) => ({ path, message: 'must be a URL that starts with https:// or http://' }),
  )
  if (timezone !== undefined && !isTimezone(timezone))
    problems.push({ path: 'timezone', message: 'must be an IANA name, such as Europe/Berlin' })
  if (customDomain && ownHosts.some((host) => isInside(customDomain, host)))
    problems.push({ path: 'customDomain', message: 'must not be a name of this service' })
  if (sections !== undefined && monitorIds !== undefined)
    problems.push({ path: 'monitorIds', message: 'cannot be sent together with sections' })
  return [...problems, ...countProblems(sections ?? []), ...repeatedIds(sections ?? [])]
}

const isHttpUrl = (text: string | null): boolean => text === null || URL.canParse(text)

function isInside(domain: string, host: string): boolean {
  return `.${domain.toLowerCase()}`.endsWith(`.${host.toLowerCase()}`)
}

function repeatedIds(sections: readonly SectionInput[]): Problem[] {
  const ids = sections.flatMap(({ id, components = [] }, index) => [
    { id, path: `sections.${index}.id` },
    ...components.map((component, at) => ({
      id: component.id,
      path: `sections.${index}.components.${at}.id`,
    })),
  ])
  const seen = new Set<string>()
  return ids.flatMap(({ id, path }) => {
    if (id === undefined || !seen.has(id)) {
      if (id !== undefined) seen.add(id)
      return []
    }
    return [{ path, message: 'is listed more than once' }]
  })
}
