// Sections and components of a page while they are edited. Pure: every change gives a new structure.
import type { StatusPageView } from './page.ts'

export type DraftComponentState = StatusPageView['state']

/** `key` stands for it in the editor; what is new has no id yet. */
export type ComponentDraft = {
  key: string
  id?: string
  /** Null: the monitor's own. */
  name: string | null
  description: string | null
  monitorId: string | null
  monitor?: { name: string; type: string } | null
  /** As readers see it now; of what is new or was set here nobody has seen anything. */
  state?: DraftComponentState | undefined
  manualState?: DraftComponentState | undefined
}
export type SectionDraft = {
  key: string
  id?: string
  name: string | null
  collapsed: boolean
  components: ComponentDraft[]
}
export type Structure = readonly SectionDraft[]

export function structureOf({ sections }: Pick<StatusPageView, 'sections'>): Structure {
  return sections.map(({ id, name, collapsed, components }) => ({
    key: id,
    id,
    name,
    collapsed,
    components: components.map(({ id: own, ownName, manualState, ...component }) => ({
      ...component,
      key: own,
      id: own,
      name: ownName,
      manualState: manualState ?? undefined,
    })),
  }))
}

/** As the API takes it: what is left out beside an id stays as it is. */
export function toInput(structure: Structure) {
  return structure.map(({ id, name, collapsed, components }) => ({
    ...(id !== undefined && { id }),
    name,
    collapsed,
    components: components.map((component) => ({
      ...(component.id !== undefined && { id: component.id }),
      name: component.name,
      description: component.description,
      monitorId: component.monitorId,
      ...(component.manualState !== undefined && { manualState: component.manualState }),
    })),
  }))
}

export const isSame = (a: Structure, b: Structure): boolean =>
  JSON.stringify(toInput(a)) === JSON.stringify(toInput(b))

export const countOf = (structure: Structure): number =>
  structure.reduce((sum, { components }) => sum + components.length, 0)

/** Where a component stands; `of` is how many stand there. */
export type ComponentPosition = { section: number; index: number; of: number }

export function positionOf(structure: Structure, key: string): ComponentPosition | undefined {
  for (const [section, { components }] of structure.entries()) {
    const index = components.findIndex((one) => one.key === key)
    if (index >= 0) return { section, index, of: components.length }
  }
  return undefined
}

/** One place up or down. At the edge of a section a component goes into the next one. */
export function moveComponent(structure: Structure, key: string, by: 1 | -1): Structure {
  const position = positionOf(structure, key)
  if (position === undefined) return structure
  const next = position.index + by
  if (next >= 0 && next < position.of)
    return moveTo(structure, key, { section: position.section, index: next })
  const section = position.section + by
  const other = structure[section]
  if (other === undefined) return structure
  return moveTo(structure, key, { section, index: by === 1 ? 0 : other.components.length })
}

/** Takes the component out, and puts it at this place of what is left. */
export function moveTo(
  structure: Structure,
  key: string,
  to: { section: number; index: number },
): Structure {
  const moved = structure.flatMap(({ components }) => components).find((one) => one.key === key)
  if (moved === undefined || structure[to.section] === undefined) return structure
  return structure.map((section, at) => {
    const rest = section.components.filter((one) => one.key !== key)
    return { ...section, components: at === to.section ? rest.toSpliced(to.index, 0, moved) : rest }
  })
}

export function moveSection(structure: Structure, key: string, by: 1 | -1): Structure {
  const at = structure.findIndex((section) => section.key === key)
  return moveSectionTo(structure, key, at + by)
}

/** At this place among the others. */
export function moveSectionTo(structure: Structure, key: string, to: number): Structure {
  const section = structure.find((one) => one.key === key)
  if (section === undefined || to < 0 || to >= structure.length) return structure
  return structure.filter((one) => one !== section).toSpliced(to, 0, section)
}

export const changeSection = (
  structure: Structure,
  key: string,
  change: Partial<SectionDraft>,
): Structure =>
  structure.map((section) => (section.key === key ? { ...section, ...change } : section))

export const changeComponent = (
  structure: Structure,
  key: string,
  change: Partial<ComponentDraft>,
): Structure =>
  structure.map((section) => ({
    ...section,
    components: section.components.map((one) => (one.key === key ? { ...one, ...change } : one)),
  }))

export const removeComponent = (structure: Structure, key: string): Structure =>
  structure.map((section) => ({
    ...section,
    components: section.components.filter((one) => one.key !== key),
  }))

/** Back where it was; at the end where its section is gone. */
export function restoreComponent(
  structure: Structure,
  component: ComponentDraft,
  { section, index }: { section: string; index: number },
): Structure {
  const home = structure.find(({ key }) => key === section) ?? structure.at(-1)
  return structure.map((one) =>
    one === home ? { ...one, components: one.components.toSpliced(index, 0, component) } : one,
  )
}

export const addComponents = (
  structure: Structure,
  sectionKey: string,
  added: readonly ComponentDraft[],
): Structure =>
  structure.map((section) =>
    section.key === sectionKey
      ? { ...section, components: [...section.components, ...added] }
      : section,
  )

let created = 0
export const newKey = (): string => `new-${++created}`

export const newSection = (name: string | null): SectionDraft => ({
  key: newKey(),
  name,
  collapsed: false,
  components: [],
})
