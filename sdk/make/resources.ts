// The resources of an API as the client presents them: their operations, and the table the client works by.
import { type Described, nameOf, type Openapi, type Parameter, schemaOf } from './schema.ts'

/** `name` is the client's property (`statusPages`), `file` that of its types (`status-pages`). */
export type Resource = { name: string; file: string; operations: Operation[] }
export type Operation = {
  /** The method of the client: `create`. */
  name: string
  method: string
  /** Below /api/v1, or whole for the extension API. Every parameter is {id}. */
  path: string
  /** Names of the parameters in the path, as the client calls them. */
  parameters: string[]
  described: Described
  /** Schema of the body, where the caller says something with it. */
  input: string | undefined
  isInputRequired: boolean
  /** Schema of the answer; of an item of it for a list. */
  output: string
  /** How a list continues: by offset, or with this parameter. Undefined if it is none. */
  list: string | undefined
  /** Query parameters that the caller chooses. */
  filters: Parameter[]
}

const PREFIX = '/api/v1/'
// What a collection does; everything else is named by its path.
const NAMES: Record<string, string> = {
  'get /': 'list',
  'post /': 'create',
  'get /{id}': 'get',
  'patch /{id}': 'update',
  'delete /{id}': 'delete',
  'post /{id}/updates': 'addUpdate',
}

/** Resource and method of each operation of the extension API, which has fewer plain collections. */
const EXT_NAMES: Record<string, string> = {
  listAlertContacts: 'alert-contacts list',
  createAlertContact: 'alert-contacts create',
  getAlertContact: 'alert-contacts get',
  updateAlertContact: 'alert-contacts update',
  deleteAlertContact: 'alert-contacts delete',
  testAlertContact: 'alert-contacts test',
  attachAlertContact: 'alert-contacts attach',
  detachAlertContact: 'alert-contacts detach',
  listEscalationPolicies: 'escalation-policies list',
  getEscalationPolicy: 'escalation-policies get',
  putEscalationPolicy: 'escalation-policies put',
  deleteEscalationPolicy: 'escalation-policies delete',
  getMonitorUptime: 'monitors uptime',
  getMonitorResponseTimes: 'monitors responseTimes',
  listMonitorChecks: 'monitors checks',
  getCheckEvidence: 'monitors evidence',
  replayMonitor: 'monitors replay',
  getEvidenceFile: 'incidents evidenceFile',
  getEvidenceKey: 'organization evidenceKey',
  listMonitorDetails: 'monitors list',
  createMonitorDetail: 'monitors create',
  runMonitorCheck: 'monitors check',
  addMonitorTag: 'monitors addTag',
  removeMonitorTag: 'monitors removeTag',
  runCheck: 'checks run',
  getOverview: 'organization overview',
  getUsage: 'organization usage',
  getRegions: 'organization regions',
  getMonitorRegions: 'monitors regions',
  putMonitorRegions: 'monitors putRegions',
  deleteMonitorRegions: 'monitors deleteRegions',
  getTagRegions: 'tags regions',
  putTagRegions: 'tags putRegions',
  deleteTagRegions: 'tags deleteRegions',
  getOrganizationRegions: 'organization defaultRegions',
  putOrganizationRegions: 'organization putDefaultRegions',
  deleteOrganizationRegions: 'organization deleteDefaultRegions',
  listPageSubscribers: 'subscribers list',
  addPageSubscriber: 'subscribers add',
  removePageSubscriber: 'subscribers remove',
  listTags: 'tags list',
  createTag: 'tags create',
  renameTag: 'tags rename',
  deleteTag: 'tags delete',
  getSourceBindings: 'sources bindings',
  putSourceBindings: 'sources putBindings',
  deleteSource: 'sources delete',
  getPingAliases: 'organization pingAliases',
  addPingAliases: 'monitors addPingAliases',
  removePingAliases: 'monitors removePingAliases',
}

type Route = { path: string; method: string; described: Described }

export function readResources(openapi: Openapi): Resource[] {
  return group(openapi, (route) => {
    const [collection = ''] = route.path.slice(PREFIX.length).split('/')
    const path = withIds(`/${route.path.slice(PREFIX.length)}`)
    const below = `/${path.split('/').slice(2).join('/')}`
    const name = NAMES[`${route.method} ${below}`] ?? camel(below.slice(below.lastIndexOf('/') + 1))
    return { file: collection, name, path }
  })
}

export function readExtResources(openapi: Openapi): Resource[] {
  return group(openapi, ({ path, described }) => {
    const [file, name] = EXT_NAMES[described.operationId]?.split(' ') ?? []
    if (file === undefined || name === undefined)
      throw new Error(`The client has no name for ${described.operationId}.`)
    return { file, name, path: withIds(path) }
  })
}

type Named = { file: string; name: string; path: string }

function group(openapi: Openapi, nameRoute: (route: Route) => Named): Resource[] {
  const all = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const route = { path, method, described }
      const { file, ...named } = nameRoute(route)
      return { file, operation: { ...named, ...readOperation(openapi, route) } }
    }),
  )
  return [...Map.groupBy(all, ({ file }) => file)].map(([file, some]) => ({
    name: camel(file),
    file,
    operations: some.map(({ operation }) => operation),
  }))
}

function readOperation(
  openapi: Openapi,
  { path, method, described }: Route,
): Omit<Operation, 'name' | 'path'> {
  const output = outputOf(described)
  const { properties = {} } = schemaOf(openapi, output)
  const asked = (described.parameters ?? []).filter(
    (each) => each.$ref === undefined && each.in === 'query',
  )
  const list = listOf(properties, asked)
  const items = properties['data']?.items?.$ref
  return {
    method: method.toUpperCase(),
    parameters: parametersOf(path),
    described,
    input: inputOf(described),
    isInputRequired: described.requestBody?.required === true,
    output: list === undefined || items === undefined ? output : nameOf(items),
    list,
    filters: asked.filter(({ name }) => !isPosition(name, list)),
  }
}

function listOf(properties: object, asked: Parameter[]): string | undefined {
  if ('pagination' in properties) return 'offset'
  if (!('next' in properties)) return undefined
  return asked.find(({ name }) => name === 'cursor' || name === 'before')?.name
}

/** Where a page begins and ends is said to `page`, not to the list. */
const isPosition = (name: string | undefined, list: string | undefined): boolean =>
  list !== undefined && list !== 'offset' && (name === list || name === 'limit')

const withIds = (path: string): string => path.replace(/\{\w+\}/g, '{id}')

/** A single id is just called that. */
function parametersOf(path: string): string[] {
  const names = path.split('{').flatMap((part, at) => (at === 0 ? [] : [part.split('}')[0] ?? '']))
  return names.length === 1 && names[0]?.endsWith('Id') ? ['id'] : names
}

function inputOf({ requestBody }: Described): string | undefined {
  const body = requestBody?.content['application/json'].schema.$ref
  const input = body === undefined ? undefined : nameOf(body)
  return input === 'EmptyBody' ? undefined : input
}

function outputOf({ responses }: Described): string {
  const answer = responses['200'] ?? responses['201']
  return nameOf(answer?.content?.['application/json'].schema.$ref ?? '')
}

type Table = { name: string; about: string }

/** The table the client works by. */
export function operationsFile(head: string, resources: Resource[], table: Table): string {
  const rows = resources.map(({ name, operations }) => {
    const lines = operations.map((each) => {
      const words = [each.described.operationId, each.method, each.path, ...kindOf(each)]
      return `    ${each.name}: '${words.join(' ')}',\n`
    })
    return `  ${name}: {\n${lines.join('')}  },\n`
  })
  return [
    `${head}\n`,
    `/** ${table.about} */\n`,
    `export const ${table.name} = {\n${rows.join('')}} as const\n`,
  ].join('')
}

/** What a caller gives beside ids: a body, a query, or a list's query with the parameter it continues with. */
function kindOf({ input, list, filters }: Operation): string[] {
  if (input !== undefined) return ['body']
  if (list !== undefined) return list === 'offset' ? [] : [list]
  return filters.length > 0 ? ['query'] : []
}

function camel(text: string): string {
  return text.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

export function pascal(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
