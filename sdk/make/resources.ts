// The resources of the API as the client presents them: operations, and the types they use.
import {
  type Described,
  nameOf,
  namesIn,
  type Openapi,
  type Parameter,
  reachableFrom,
  type Schema,
  schemaOf,
} from './schema.ts'
import { alternatives, breakable, printImport, printMethod, printType } from './typescript.ts'

/** `name` is the client's property (`statusPages`), `file` that of its types (`status-pages`). */
export type Resource = { name: string; file: string; operations: Operation[] }
export type Operation = {
  /** The method of the client: `create`. */
  name: string
  method: string
  /** Below /api/v1, with every parameter as {id}. */
  path: string
  described: Described
  /** Schema of the body, where the caller says something with it. */
  input: string | undefined
  isInputRequired: boolean
  /** Schema of the answer; of an item of it for a list. */
  output: string
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
const SHARED = ['Deleted', 'ErrorCode', 'ErrorDetail']

export function readResources(openapi: Openapi): Resource[] {
  const all = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const [collection = ''] = path.slice(PREFIX.length).split('/')
      return { file: collection, operation: readOperation(openapi, { path, method, described }) }
    }),
  )
  return [...Map.groupBy(all, ({ file }) => file)].map(([file, some]) => ({
    name: camel(file),
    file,
    operations: some.map(({ operation }) => operation),
  }))
}

type Route = { path: string; method: string; described: Described }

function readOperation(openapi: Openapi, { path, method, described }: Route): Operation {
  const short = `/${path.slice(PREFIX.length)}`.replace(/\{\w+\}/, '{id}')
  const below = `/${short.split('/').slice(2).join('/')}`
  const input = inputOf(described)
  const output = outputOf(described)
  const items = schemaOf(openapi, output).properties?.['data']?.items?.$ref
  return {
    name: NAMES[`${method} ${below}`] ?? camel(below.slice(below.lastIndexOf('/') + 1)),
    method: method.toUpperCase(),
    path: short,
    described,
    input,
    isInputRequired: described.requestBody?.required === true,
    output: items === undefined ? output : nameOf(items),
  }
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

/** The table the client works by: operation id, method, path, and whether it takes a body. */
export function operationsFile(head: string, resources: Resource[]): string {
  const rows = resources.map(({ name, operations }) => {
    const lines = operations.map((each) => {
      const words = [each.described.operationId, each.method, each.path]
      return `    ${each.name}: '${[...words, ...(each.input ? ['body'] : [])].join(' ')}',\n`
    })
    return `  ${name}: {\n${lines.join('')}  },\n`
  })
  return [
    `${head}\n`,
    '/** Operation id, method and path below /api/v1; `body` where the caller gives one. */\n',
    `export const OPERATIONS = {\n${rows.join('')}} as const\n`,
  ].join('')
}

type Types = {
  openapi: Openapi
  /** Schemas that a caller sends. */
  inputs: ReadonlySet<string>
  /** Where each schema that is not the resource's own is declared. */
  elsewhere: ReadonlyMap<string, string>
}

export function typeFiles(
  head: string,
  openapi: Openapi,
  resources: Resource[],
): Record<string, string> {
  const bodies = resources.flatMap((each) => each.operations.flatMap(({ input }) => input ?? []))
  const inputs = new Set(reachableFrom(openapi, bodies))
  const inEvents = reachableFrom(openapi, eventNames(openapi))
  const needed = resources.flatMap((resource) => neededBy(openapi, resource))
  const common = needed.filter((name, at) => needed.indexOf(name) !== at)
  const shared = [...new Set([...SHARED, ...common])].filter((name) => !inEvents.includes(name))
  const elsewhere = new Map([
    ...shared.map((name) => [name, './shared.ts'] as const),
    ...inEvents.map((name) => [name, '../event-shapes.ts'] as const),
    ['WebhookEvent', '../events.ts'] as const,
  ])
  const types = { openapi, inputs, elsewhere }
  const files = resources.map((each) => [`${each.file}.ts`, resourceFile(head, each, types)])
  const text = shared.toSorted().map((name) => printOwn(name, types))
  return { 'shared.ts': [head, ...text].join('\n'), ...Object.fromEntries(files) }
}

function eventNames(openapi: Openapi): string[] {
  return Object.values(openapi.webhooks).flatMap(({ post }) => {
    const { schema } = post.requestBody.content['application/json']
    return namesIn(schema.$ref === undefined ? schema : schemaOf(openapi, nameOf(schema.$ref)))
  })
}

function neededBy(openapi: Openapi, { operations }: Resource): string[] {
  const roots = operations.flatMap(({ input, output }) => [...(input ? [input] : []), output])
  const asked = filtersOf(operations).flatMap(({ schema = {} }) => namesIn(schema))
  return reachableFrom(openapi, [...roots, ...asked])
}

function resourceFile(head: string, resource: Resource, types: Types): string {
  const { openapi, elsewhere } = types
  const needed = neededBy(openapi, resource)
  const own = needed.filter((name) => !elsewhere.has(name))
  const text = [
    ...own.map((name) => printOwn(name, types)),
    queryType(resource, filtersOf(resource.operations)),
    methods(resource),
  ]
  const words = new Set(text.join('\n').match(/\w+/g))
  const used = (name: string) => words.has(name)
  const from = (source: string) => {
    const names = needed.filter((name) => elsewhere.get(name) === source && used(name))
    return printImport(names, source)
  }
  const imports = [
    printImport(['Call'], '../client/call.ts'),
    printImport(['List'], '../client/list.ts'),
    printImport(['CallOptions', 'WriteOptions'].filter(used), '../client/options.ts'),
    ...['../event-shapes.ts', '../events.ts', './shared.ts'].map(from),
  ]
  return [head + imports.join(''), ...text].join('\n')
}

function printOwn(name: string, { openapi, inputs }: Types): string {
  const schema = schemaOf(openapi, name)
  const full = name.endsWith('Patch') ? name.replace(/Patch$/, 'Input') : name
  if (full !== name && hasFieldsOf(schema, schemaOf(openapi, full)))
    return `export type ${name} = Partial<${full}>\n`
  return printType(name, schema, inputs.has(name) ? 'input' : 'output')
}

function hasFieldsOf(patch: Schema, input: Schema): boolean {
  const typed = ({ properties = {} }: Schema) =>
    Object.entries(properties).map(([name, each]) => [name, ...alternatives(each, 'input')].join())
  return typed(patch).join() === typed(input).join()
}

function filtersOf(operations: Operation[]): Parameter[] {
  const all = operations.flatMap(({ described }) => described.parameters ?? [])
  return all.filter((each) => each.$ref === undefined && each.in === 'query')
}

function queryType({ name }: Resource, filters: Parameter[]): string {
  const lines = filters.map(({ name: key, description, schema = {} }) => {
    const one = alternatives(schema.items ?? schema, 'input')
    const parts = schema.items ? [...one, ...one.map((each) => `readonly ${each}[]`)] : one
    const about = description === undefined ? '' : `  /** ${description} */\n`
    return `${about}${breakable(`${key}?:`, parts, '  ')}\n`
  })
  return `export type ${pascal(name)}Query = {\n${lines.join('')}}\n`
}

function methods({ name, operations }: Resource): string {
  const lines = operations.map((operation) => {
    const { summary } = operation.described
    return `  /** ${summary}. */\n${printOperation(operation, `${pascal(name)}Query`)}`
  })
  return `export type ${pascal(name)} = {\n${lines.join('')}}\n`
}

function printOperation(operation: Operation, query: string): string {
  const { name, method, path, input, isInputRequired, output } = operation
  if (name === 'list')
    return printMethod(name, [`query?: ${query}`, 'options?: CallOptions'], `List<${output}>`)
  const argument = `${name === 'update' ? 'changes' : 'input'}${isInputRequired ? '' : '?'}`
  const parameters = [
    ...(path.includes('{id}') ? ['id: string'] : []),
    ...(input ? [`${argument}: ${input}`] : []),
    `options?: ${method === 'GET' ? 'CallOptions' : 'WriteOptions'}`,
  ]
  return printMethod(name, parameters, `Call<${output}>`)
}

function camel(text: string): string {
  return text.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function pascal(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
