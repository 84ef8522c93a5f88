// Sections and components of a page while they are edited. Pure: every change returns a new structure.
import type { StatusPageView } from '../page.ts'

export type DraftComponentState = StatusPageView['state']

/** `key` identifies it in the editor; a new one has no id yet. */
export type ComponentDraft = {
  key: string
  id?: string
  /** Null uses the monitor's name. */
  name: string | null
  description: string | null
  monitorId: string | null
  monitor?: { name: string; type: string } | null
  /** As visitors see it now. Undefined if it is new or was changed here. */
  state?: DraftComponentState | undefined
  manualState?: DraftComponentState | undefined
}
export type SectionDraft = {
  key: string
  id?: string
  name: string | null
  collapsed: boolean
  components: ComponentDraft[]
  /** The tag it follows. It is saved by itself, not with the draft. */
  tag?: { id: string; name: string } | null
}
export type Structure = readonly SectionDraft[]

export function structureOf({ sections }: Pick<StatusPageView, 'sections'>): Structure {
  return sections.map(({ id, name, collapsed, components, tag }) => ({
    key: id,
    id,
    name,
    collapsed,
    tag,
    components: components.map(({ id: own, ownName, manualState, ...component }) => ({
      ...component,
      key: own,
      id: own,
      name: ownName,
      manualState: manualState ?? undefined,
    })),
  }))
}

/** The API input. Fields left out next to an id keep their value. */
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

/** The position of a component; `of` is the number of components in its section. */
export type ComponentPosition = { section: number; index: number; of: number }

export function positionOf(structure: Structure, key: string): ComponentPosition | undefined {
  for (const [section, { components }] of structure.entries()) {
    const index = components.findIndex((one) => one.key === key)
    if (index >= 0) return { section, index, of: components.length }
  }
  return undefined
}

/** Moves one position up or down. At the edge of a section, the component moves into the adjacent one. */
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

/** Removes the component and inserts it at this position among the rest. */
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

/** Moves a section to this position among the others. */
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

/** Restores the component to its old position, or to the end if its section is gone. */
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
