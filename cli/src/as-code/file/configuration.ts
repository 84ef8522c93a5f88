// From the value of a file to the resources it asks for, with everything that is wrong with it.
import { isReservedSlug } from '../../import/common/reserved-slugs.ts'
import { canEscalate } from '../model/escalation.ts'
import { isObject, type JsonObject, type JsonValue } from '../model/json.ts'
import { addressOf, KINDS, kindOf, RESOURCE_KINDS, type ResourceKind } from '../model/kinds.ts'
import { findProblems, type ValuePath, type ValueProblem } from '../schema/find-problems.ts'
import { getDefinition, getFileSchema } from '../schema/schema.ts'
import { type FilledFile, fillPlaceholders } from './placeholders.ts'

/** One resource of the file, as it is written there, with the file's defaults. */
export type FileResource = {
  kind: ResourceKind
  address: string
  fields: JsonObject
  /** Paths below it, joined with dots, whose values come from the environment. */
  hidden: ReadonlySet<string>
}
type Move = { from: string; to: string }
export type Configuration = {
  source: string
  resources: FileResource[]
  moved: Move[]
  /** Values of variables. Never to be printed. */
  secrets: ReadonlySet<string>
}
type ReadConfiguration =
  | { configuration: Configuration; problems: []; unset: string[] }
  | { configuration: undefined; problems: ValueProblem[]; unset: string[] }
/** Whether a variable that is not set is a problem. */
export type UnsetVariables = 'REFUSE' | 'ALLOW'

const MAX_STATUS_CODES = 100

export function readConfiguration(
  value: JsonValue,
  env: Readonly<Record<string, string | undefined>>,
  variables: UnsetVariables = 'REFUSE',
): ReadConfiguration {
  const filled = fillPlaceholders(value, env)
  const unset = [...new Set(filled.missing.map(({ name }) => name))].toSorted()
  const missing = filled.missing.map(({ name, path }) => ({
    path,
    message: `needs the environment variable ${name}, which is not set`,
  }))
  const whole = withDefaults(filled.value)
  const judged = isObject(whole) ? judge(whole, filled) : { problems: [], resources: [] }
  const shape = findProblems(getFileSchema(), whole)
  // What a variable stands for cannot be judged before it is set.
  const known = [...shape, ...judged.problems].filter(({ path }) => !isUnset(path, filled.missing))
  const problems = [...(variables === 'REFUSE' ? missing : []), ...known]
  if (problems.length > 0 || !isObject(whole)) return { configuration: undefined, problems, unset }
  const moved = (whole['moved'] ?? []) as unknown as Move[]
  const source = String(whole['source'])
  const configuration = { source, resources: judged.resources, moved, secrets: filled.secrets }
  return { configuration, problems: [], unset }
}

/** Rules beyond the schema, for what has the shape of the schema. */
function judge(whole: JsonObject, filled: FilledFile) {
  const resources = toResources(whole, filled)
  const isRight = (definition: string, value: JsonValue) =>
    findProblems(getDefinition(definition), value).length === 0
  const judged = resources.filter(({ kind, fields }) => isRight(KINDS[kind].definition, fields))
  const { properties = {} } = getFileSchema()
  const hasMoves = properties['moved'] && findProblems(properties['moved'], whole['moved'] ?? [])
  const moved = hasMoves?.length === 0 ? ((whole['moved'] ?? []) as unknown as Move[]) : []
  const addresses = new Set(resources.map(({ address }) => address))
  const problems = [
    ...ruleProblems(judged, addresses),
    ...tagProblems(judged),
    ...moveProblems(moved, addresses),
  ]
  return { problems, resources }
}

function isUnset(path: ValuePath, missing: FilledFile['missing']): boolean {
  const text = path.join('.')
  return missing.some(({ path: unset }) => {
    const isShared = unset[0] === 'defaults'
    const place = isShared && text.startsWith('monitors.') ? path.slice(2).join('.') : text
    const name = (isShared && place !== text ? unset.slice(2) : unset).join('.')
    return place === name || place.startsWith(`${name}.`)
  })
}

function withDefaults(value: JsonValue): JsonValue {
  if (!isObject(value) || !isObject(value['monitors']) || !isObject(value['defaults'])) return value
  const { monitor } = value['defaults']
  if (!isObject(monitor)) return value
  const monitors = Object.entries(value['monitors']).map(([key, fields]) => [
    key,
    isObject(fields) ? { ...monitor, ...fields } : fields,
  ])
  return { ...value, monitors: Object.fromEntries(monitors) as JsonObject }
}

function toResources(file: JsonObject, { hidden }: FilledFile): FileResource[] {
  const shared = below(hidden, 'defaults.monitor.')
  return RESOURCE_KINDS.flatMap((kind) => {
    const section = file[kind]
    if (!isObject(section)) return []
    return Object.entries(section).map(([key, fields]) => {
      const address = addressOf(kind, key)
      const own = below(hidden, `${address}.`)
      return {
        kind,
        address,
        fields: fields as JsonObject,
        hidden: new Set(kind === 'monitors' ? [...shared, ...own] : own),
      }
    })
  })
}

function below(paths: ReadonlySet<string>, start: string): string[] {
  return [...paths].filter((path) => path.startsWith(start)).map((path) => path.slice(start.length))
}

function ruleProblems(
  resources: readonly FileResource[],
  addresses: ReadonlySet<string>,
): ValueProblem[] {
  return resources.flatMap((resource) => [
    ...referencesOf(resource)
      .filter(({ kind, ref }) => !isKnown(addresses, kind, ref))
      .map(({ kind, ref, path }) => ({
        path: toPath(resource, path),
        message: `refers to ${shown(resource, path, ref)}, which is neither in ${kind} of this file nor an id`,
      })),
    ...(resource.kind === 'monitors' ? statusProblems(resource) : []),
    ...(canEscalate(resource.kind) ? escalationProblems(resource) : []),
    ...(resource.kind === 'statusPages' ? pageProblems(resource) : []),
    ...(resource.kind === 'maintenanceWindows' ? windowProblems(resource) : []),
  ])
}

function shown({ hidden }: FileResource, path: ValuePath, ref: string): string {
  return hidden.has(path.join('.')) ? 'the value of a variable' : JSON.stringify(ref)
}

function toPath({ address }: FileResource, path: ValuePath): ValuePath {
  const dot = address.indexOf('.')
  return [address.slice(0, dot), address.slice(dot + 1), ...path]
}

function isKnown(addresses: ReadonlySet<string>, kind: ResourceKind, ref: string): boolean {
  return addresses.has(addressOf(kind, ref)) || ref.startsWith(KINDS[kind].prefix)
}

type Reference = { kind: ResourceKind; ref: string; path: ValuePath }

/** Everything that a resource refers to. */
function referencesOf({ kind, fields }: FileResource): Reference[] {
  const list = (name: string, of: ResourceKind): Reference[] =>
    asList(fields[name]).map((ref, at) => ({ kind: of, ref: String(ref), path: [name, at] }))
  if (kind === 'tags') return stepContacts(fields)
  if (kind === 'monitors')
    return [...list('contacts', 'contacts'), ...list('tags', 'tags'), ...stepContacts(fields)]
  if (kind === 'maintenanceWindows')
    return [...list('monitors', 'monitors'), ...list('statusPages', 'statusPages')]
  if (kind !== 'statusPages') return []
  const inSections = asList(fields['sections']).flatMap((section, at) =>
    asList((section as JsonObject)['components']).flatMap((component, nth): Reference[] => {
      const ref = (component as JsonObject)['monitor']
      const path = ['sections', at, 'components', nth, 'monitor']
      return typeof ref === 'string' ? [{ kind: 'monitors', ref, path }] : []
    }),
  )
  return [...list('monitors', 'monitors'), ...inSections]
}

function stepContacts({ escalation }: JsonObject): Reference[] {
  return asList(escalation).flatMap((step, at) =>
    asList((step as JsonObject)['contacts']).map((ref, nth): Reference => {
      return { kind: 'contacts', ref: String(ref), path: ['escalation', at, 'contacts', nth] }
    }),
  )
}

function asList(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : []
}

function statusProblems(resource: FileResource): ValueProblem[] {
  const path = toPath(resource, ['expectedStatus'])
  const given = asList(resource.fields['expectedStatus'])
  const codes = expandStatus(given)
  if (given.some((each) => expandStatus([each]).length === 0))
    return [{ path, message: 'has a range that ends before it starts' }]
  const message = `stands for more than ${MAX_STATUS_CODES} codes`
  return codes.length > MAX_STATUS_CODES ? [{ path, message }] : []
}

/** 200 stays, "200-202" becomes three numbers. */
export function expandStatus(given: readonly JsonValue[]): number[] {
  return given.flatMap((each) => {
    const [from = 0, to = from] = String(each).split('-').map(Number)
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
  })
}

/** Each step is later than the one before, and each contact is in one. */
function escalationProblems(resource: FileResource): ValueProblem[] {
  const steps = asList(resource.fields['escalation']) as JsonObject[]
  const seen = new Set<JsonValue>()
  return steps.flatMap(({ afterMinutes, contacts }, at) => {
    const problems: ValueProblem[] = []
    const isLater = at === 0 || Number(afterMinutes) > Number(steps[at - 1]?.['afterMinutes'])
    const path = toPath(resource, ['escalation', at])
    if (!isLater)
      problems.push({
        path: [...path, 'afterMinutes'],
        message: 'must be later than the step before',
      })
    if (asList(contacts).some((contact) => seen.has(contact)))
      problems.push({ path: [...path, 'contacts'], message: 'has a contact of an earlier step' })
    for (const contact of asList(contacts)) seen.add(contact)
    return problems
  })
}

function pageProblems(resource: FileResource): ValueProblem[] {
  const { fields } = resource
  const slug = fields['slug']
  if (typeof slug === 'string' && isReservedSlug(slug))
    return [{ path: toPath(resource, ['slug']), message: 'is reserved: choose another one' }]
  if (fields['sections'] !== undefined && fields['monitors'] !== undefined)
    return [
      {
        path: toPath(resource, ['monitors']),
        message: 'is a short form of sections: give one of them',
      },
    ]
  return asList(fields['sections']).flatMap((section, at) =>
    asList((section as JsonObject)['components']).flatMap((component, nth) => {
      const { monitor = null, name = null } = component as JsonObject
      if (monitor !== null || name !== null) return []
      const path = toPath(resource, ['sections', at, 'components', nth])
      return [{ path, message: 'needs a name or a monitor' }]
    }),
  )
}

function windowProblems(resource: FileResource): ValueProblem[] {
  const { fields } = resource
  const isLate = Date.parse(String(fields['endsAt'])) <= Date.parse(String(fields['startsAt']))
  const problems = isLate
    ? [{ path: toPath(resource, ['endsAt']), message: 'must be after startsAt' }]
    : []
  if (fields['allMonitors'] === true || asList(fields['monitors']).length > 0) return problems
  const message = 'needs monitors, or allMonitors: true'
  return [...problems, { path: toPath(resource, []), message }]
}

/** No two tags of an organization have one name, in whatever case. */
function tagProblems(resources: readonly FileResource[]): ValueProblem[] {
  const seen = new Map<string, string>()
  return resources.flatMap((resource) => {
    if (resource.kind !== 'tags') return []
    const name = String(resource.fields['name']).normalize('NFC').trim().toLowerCase()
    const first = seen.get(name)
    seen.set(name, first ?? resource.address)
    if (first === undefined) return []
    return [{ path: toPath(resource, ['name']), message: `is the name of ${first} too` }]
  })
}

function moveProblems(moved: readonly Move[], addresses: ReadonlySet<string>): ValueProblem[] {
  return moved.flatMap(({ from, to }, at) => {
    const problem = (name: string, message: string) => [{ path: ['moved', at, name], message }]
    if (kindOf(from) === undefined || kindOf(from) !== kindOf(to))
      return problem('to', 'must be of the same kind as from')
    if (addresses.has(from)) return problem('from', 'is still in the file')
    if (!addresses.has(to)) return problem('to', 'is not in the file')
    const isRepeated = moved.some(
      (other, nth) => nth < at && (other.from === from || other.to === to),
    )
    return isRepeated ? problem('from', 'was moved before') : []
  })
}
