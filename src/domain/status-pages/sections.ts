// How `sections` of a request become the sections of a page. The list is replaced as a whole: entries with a known ID
// are kept, entries without are new, and the rest is deleted. Fields that a kept entry leaves out stay unchanged,
// because not everything that can be written can be read and sent back.
import { fromPublicId, type IdPrefix, toPublicId } from '../values/id.ts'
import type { Problem } from '../values/problem.ts'
import type { ComponentState } from './page-state.ts'
import type { Component, Section, ShownComponent } from './status-page.ts'

export const MAX_COMPONENTS = 200

type ComponentInput = {
  id?: string
  name?: string | null
  description?: string | null
  monitorId?: string | null
  manualState?: ComponentState
}
export type SectionInput = {
  id?: string
  name?: string | null
  collapsed?: boolean
  components?: ComponentInput[]
}
/** The two ways to define the contents of a page. At most one of them is sent. */
export type Contents = { sections?: SectionInput[]; monitorIds?: string[] }

export type ArrangeContext = {
  /** The current sections of the page. */
  sections: readonly Section<ShownComponent>[]
  /** Those of the named monitors that belong to the organization. */
  monitorUuids: ReadonlySet<string>
  newUuid(): string
}
type Arranged = { sections: Section[]; problems: Problem[] }

/** Every monitor that is named, whether it exists or not. */
export function namedMonitors({ sections = [], monitorIds = [] }: Contents): string[] {
  const inSections = sections.flatMap(({ components = [] }) =>
    components.flatMap(({ monitorId }) => monitorId ?? []),
  )
  return [...inSections, ...monitorIds].flatMap((id) => fromPublicId('mon', id) ?? [])
}

/** Undefined if the request does not mention them. */
export function arrange(contents: Contents, known: ArrangeContext): Arranged | undefined {
  const { sections, monitorIds } = contents
  if (sections !== undefined) return arrangeSections(sections, known)
  if (monitorIds === undefined) return undefined

  const arranged = arrangeSections([plainSection(monitorIds, known.sections)], known)
  const problems = arranged.problems.map(({ path, message }) => ({
    path: path.replace(/^sections\.0\.components\.(\d+)\.monitorId$/, 'monitorIds.$1'),
    message,
  }))
  return { ...arranged, problems }
}

// IDs are kept where possible, because badges and published incidents refer to components by ID.
function plainSection(
  monitorIds: readonly string[],
  sections: readonly Section<ShownComponent>[],
): SectionInput {
  const unnamed = sections.find(({ name }) => name === null)
  const free = sections.flatMap(({ components }) => components)
  const components = monitorIds.map((monitorId) => {
    const uuid = fromPublicId('mon', monitorId)
    const at = free.findIndex(({ monitorUuid }) => monitorUuid === uuid)
    const [kept] = uuid === undefined || at < 0 ? [] : free.splice(at, 1)
    const plain = { name: null, description: null, monitorId }
    return kept === undefined ? plain : { ...plain, id: toPublicId('cmp', kept.uuid) }
  })
  const section = { name: null, collapsed: false, components }
  return unnamed === undefined ? section : { ...section, id: toPublicId('sec', unnamed.uuid) }
}

function arrangeSections(wanted: readonly SectionInput[], known: ArrangeContext): Arranged {
  const sectionsBefore = byUuid(known.sections)
  const before = byUuid(known.sections.flatMap(({ components }) => components))
  const placed = new Set(
    wanted.flatMap(({ components = [] }) => components.map(({ id = '' }) => uuidOf('cmp', id))),
  )
  const problems = wanted.flatMap((section, index) => {
    const path = `sections.${index}`
    const unknown = section.id !== undefined && !sectionsBefore.has(uuidOf('sec', section.id))
    return [
      ...(unknown ? [{ path: `${path}.id`, message: 'is not a section of this page' }] : []),
      ...(section.components ?? []).flatMap((component, at) =>
        componentProblems(component, `${path}.components.${at}`, { before, known }),
      ),
    ]
  })
  const sections = wanted.map(({ id = '', ...input }): Section => {
    const kept = sectionsBefore.get(uuidOf('sec', id)) ?? newSection(known.newUuid())
    const staying = kept.components.filter(({ uuid }) => !placed.has(uuid))
    const components = input.components?.map((component) => overlaid(component, before, known))
    return {
      uuid: kept.uuid,
      name: input.name === undefined ? kept.name : input.name,
      collapsed: input.collapsed ?? kept.collapsed,
      components: (components ?? staying).map(toStored),
    }
  })
  return { sections, problems: [...problems, ...countProblems(sections)] }
}

const newSection = (uuid: string): Section<ShownComponent> => ({
  uuid,
  name: null,
  collapsed: false,
  components: [],
})

type Before = ReadonlyMap<string, ShownComponent>

function overlaid(
  { id = '', ...input }: ComponentInput,
  before: Before,
  known: ArrangeContext,
): Component {
  const kept = before.get(uuidOf('cmp', id))
  const { uuid, ...old } = kept ?? { ...NOTHING, uuid: known.newUuid() }
  const monitorUuid = monitorOf(input, kept)
  const manualState = input.manualState ?? old.manualState
  return {
    uuid,
    name: nameOf(input, kept, monitorUuid !== null),
    description: input.description === undefined ? old.description : input.description,
    monitorUuid,
    manualState: monitorUuid === null ? manualState : null,
  }
}

const NOTHING = { name: null, description: null, monitorUuid: null, manualState: null }

function componentProblems(
  input: ComponentInput,
  path: string,
  { before, known }: { before: Before; known: ArrangeContext },
): Problem[] {
  const kept = before.get(uuidOf('cmp', input.id ?? ''))
  const monitorUuid = monitorOf(input, kept)
  const problems: Problem[] = []
  const refuse = (field: string, message: string) =>
    problems.push({ path: `${path}.${field}`, message })

  if (input.id !== undefined && kept === undefined) refuse('id', 'is not a component of this page')
  if (monitorUuid === null && nameOf(input, kept, false) === null)
    refuse('name', 'is required for a component without a monitor')
  if (monitorUuid !== null && input.manualState !== undefined)
    refuse('manualState', 'is only for components without a monitor')
  // A monitor that is kept exists: otherwise the component would have been deleted with it.
  if (monitorUuid !== null && input.monitorId && !known.monitorUuids.has(monitorUuid))
    refuse('monitorId', 'is not a monitor of this organization')
  return problems
}

function monitorOf({ monitorId }: ComponentInput, kept: Component | undefined): string | null {
  if (monitorId === undefined) return kept?.monitorUuid ?? null
  return monitorId && uuidOf('mon', monitorId)
}

function nameOf(
  { name }: ComponentInput,
  kept: ShownComponent | undefined,
  isMonitored: boolean,
): string | null {
  if (name === undefined) return kept?.name ?? null
  // Read, edited and sent back: a name that only followed its monitor keeps following it.
  const follows = isMonitored && kept?.name === null && name === kept.monitorName
  return follows ? null : name
}

/** Empty for an invalid ID, which matches nothing. */
const uuidOf = (prefix: IdPrefix, id: string): string => fromPublicId(prefix, id) ?? ''

const byUuid = <T extends { uuid: string }>(entries: readonly T[]): Map<string, T> =>
  new Map(entries.map((entry) => [entry.uuid, entry]))

const toStored = ({ uuid, name, description, monitorUuid, manualState }: Component): Component => ({
  uuid,
  name,
  description,
  monitorUuid,
  manualState,
})

export function countProblems(sections: readonly { components?: readonly unknown[] }[]): Problem[] {
  const count = sections.reduce((sum, { components = [] }) => sum + components.length, 0)
  if (count <= MAX_COMPONENTS) return []
  return [{ path: 'sections', message: `must have at most ${MAX_COMPONENTS} components in all` }]
}

/** Whether any stored field differs. */
export function sectionsDiffer(before: readonly Section[], after: readonly Section[]): boolean {
  const text = (sections: readonly Section[]) =>
    JSON.stringify(
      sections.map(({ uuid, name, collapsed, components }) => [
        uuid,
        name,
        collapsed,
        components.map(toStored),
      ]),
    )
  return text(before) !== text(after)
}
