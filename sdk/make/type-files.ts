// The types of an API: a file for each resource, and one for what several use.
import { type Operation, pascal, type Resource } from './resources.ts'
import {
  nameOf,
  namesIn,
  type Openapi,
  type Parameter,
  reachableFrom,
  type Schema,
  schemaOf,
} from './schema.ts'
import { alternatives, breakable, printImport, printMethod, printType } from './typescript.ts'

const SHARED = ['Deleted', 'ErrorCode', 'ErrorDetail']

/** The module that declares each schema, as the files of a folder import it. */
export type Places = ReadonlyMap<string, string>

type Types = {
  openapi: Openapi
  /** Schemas that a caller sends. */
  inputs: ReadonlySet<string>
  /** Where each schema that is not the resource's own is declared. */
  elsewhere: Places
}

type TypeFiles = { files: Record<string, string>; places: Places }

/** Where the events of webhooks declare what they share with the API. */
export function eventPlaces(openapi: Openapi): Places {
  const names = reachableFrom(openapi, eventNames(openapi))
  return new Map([
    ...names.map((name) => [name, '../event-shapes.ts'] as const),
    ['WebhookEvent', '../events.ts'] as const,
  ])
}

/** `known` schemas are declared already. */
export function typeFiles(
  head: string,
  openapi: Openapi,
  resources: Resource[],
  known: Places,
): TypeFiles {
  const bodies = resources.flatMap((each) => each.operations.flatMap(({ input }) => input ?? []))
  const inputs = new Set(reachableFrom(openapi, bodies))
  const needed = resources.flatMap((resource) => neededBy(openapi, resource))
  const common = needed.filter((name, at) => needed.indexOf(name) !== at)
  const shared = [...new Set([...SHARED, ...common])].filter((name) => !known.has(name))
  const elsewhere = new Map([...shared.map((name) => [name, './shared.ts'] as const), ...known])
  const types = { openapi, inputs, elsewhere }
  const own = resources.flatMap((each) =>
    ownOf(each, types).map((name) => [name, `./${each.file}.ts`] as const),
  )
  const files = resources.map((each) => [`${each.file}.ts`, resourceFile(head, each, types)])
  const text = shared.toSorted().map((name) => printOwn(name, types))
  const imports = importsOf(text, reachableFrom(openapi, shared), known)
  const sharedFile =
    shared.length === 0 ? {} : { 'shared.ts': [head + imports, ...text].join('\n') }
  return {
    files: { ...sharedFile, ...Object.fromEntries(files) },
    places: new Map([...elsewhere, ...own]),
  }
}

function eventNames(openapi: Openapi): string[] {
  return Object.values(openapi.webhooks).flatMap(({ post }) => {
    const { schema } = post.requestBody.content['application/json']
    return namesIn(schema.$ref === undefined ? schema : schemaOf(openapi, nameOf(schema.$ref)))
  })
}

function neededBy(openapi: Openapi, { operations }: Resource): string[] {
  const roots = operations.flatMap(({ input, output }) => [...(input ? [input] : []), output])
  const filters = operations.flatMap((each) => each.filters)
  const asked = filters.flatMap(({ schema = {} }) => namesIn(schema))
  return reachableFrom(openapi, [...roots, ...asked])
}

function ownOf(resource: Resource, { openapi, elsewhere }: Types): string[] {
  return neededBy(openapi, resource).filter((name) => !elsewhere.has(name))
}

function resourceFile(head: string, resource: Resource, types: Types): string {
  const needed = neededBy(types.openapi, resource)
  const text = [
    ...ownOf(resource, types).map((name) => printOwn(name, types)),
    ...resource.operations.flatMap((operation) => queryType(resource, operation)),
    methods(resource),
  ]
  const imports = importsOf(text, needed, types.elsewhere)
  return [head + imports, ...text].join('\n')
}

/** The import statements of a file with this text, which may use these schemas. */
function importsOf(text: string[], schemas: string[], places: Places): string {
  const lines = text.flatMap((each) => each.split('\n'))
  const code = lines.filter((line) => !line.trimStart().startsWith('/**'))
  const words = new Set(code.join('\n').match(/\w+/g))
  const from: [name: string, source: string][] = [
    ['Call', '../client/call.ts'],
    ['CursorList', '../client/cursor-list.ts'],
    ['List', '../client/list.ts'],
    ['CallOptions', '../client/options.ts'],
    ['WriteOptions', '../client/options.ts'],
    ...schemas.flatMap((name): [string, string][] => {
      const source = places.get(name)
      return source === undefined ? [] : [[name, source]]
    }),
  ]
  const bySource = Map.groupBy(
    from.filter(([name]) => words.has(name)),
    ([, source]) => source,
  )
  return [...bySource]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([source, some]) =>
      printImport(
        some.map(([name]) => name),
        source,
      ),
    )
    .join('')
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

function queryName({ name }: Resource, operation: Operation): string {
  return `${pascal(name)}${operation.name === 'list' ? '' : pascal(operation.name)}Query`
}

/** Every list has one, and every other operation with a query. */
function queryType(resource: Resource, operation: Operation): string[] {
  const { filters, list } = operation
  if (list === undefined && filters.length === 0) return []
  const name = queryName(resource, operation)
  if (filters.length === 0) return [`export type ${name} = Record<string, never>\n`]
  return [`export type ${name} = {\n${filters.map(printFilter).join('')}}\n`]
}

function printFilter({ name: key, description, schema = {} }: Parameter): string {
  const one = alternatives(schema.items ?? schema, 'input')
  const several = one.length === 1 ? `readonly ${one[0]}[]` : `readonly (${one.join(' | ')})[]`
  const parts = schema.items ? [...one, several] : one
  const about = description === undefined ? '' : `  /** ${description} */\n`
  return `${about}${breakable(`${key}?:`, parts, '  ')}\n`
}

function methods(resource: Resource): string {
  const lines = resource.operations.map((operation) => {
    const { summary } = operation.described
    return `  /** ${summary}. */\n${printOperation(operation, queryName(resource, operation))}`
  })
  return `export type ${pascal(resource.name)} = {\n${lines.join('')}}\n`
}

function printOperation(operation: Operation, query: string): string {
  const { name, method, input, isInputRequired, list, filters, output } = operation
  const argument = `${name === 'update' ? 'changes' : 'input'}${isInputRequired ? '' : '?'}`
  const hasQuery = list !== undefined || filters.length > 0
  const parameters = [
    ...operation.parameters.map((each) => `${each}: string`),
    ...(input ? [`${argument}: ${input}`] : []),
    ...(hasQuery ? [`query?: ${query}`] : []),
    `options?: ${method === 'GET' ? 'CallOptions' : 'WriteOptions'}`,
  ]
  return printMethod(name, parameters, resultOf(list, output))
}

function resultOf(list: Operation['list'], output: string): string {
  if (list === undefined) return `Call<${output}>`
  return list === 'offset' ? `List<${output}>` : `CursorList<${output}>`
}
