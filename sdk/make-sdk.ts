// Writes everything in the SDK that is generated from openapi.json and openapi-ext.json: node sdk/make-sdk.ts
// With --check it only fails if a committed file differs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { operationsFile, readExtResources, readResources } from './make/resources.ts'
import { type Openapi, readOpenapi } from './make/schema.ts'
import { templatesFile } from './make/templates.ts'
import { eventPlaces, type Places, typeFiles } from './make/type-files.ts'
import { makeSources } from './make-events.ts'

const SOURCES = new URL('./src/', import.meta.url)
const headOf = (document: string) =>
  `// Made from ${document} by sdk/make-sdk.ts. Edit the contract and make it again, not this file.\n`
const HEAD = headOf('openapi.json')
const EXT_HEAD = headOf('openapi-ext.json')

if (import.meta.main) {
  const files = Object.entries(makeSdk(readOpenapi(), readOpenapi('openapi-ext.json')))
  const stale = files.filter(([name, text]) => committed(name) !== text)
  if (!process.argv.includes('--check')) for (const [name, text] of stale) write(name, text)
  else if (stale.length > 0) {
    const names = stale.map(([name]) => `sdk/src/${name}`).join(', ')
    process.stderr.write(`Differs from openapi.json: ${names}. Run "npm run make:openapi".\n`)
    process.exitCode = 1
  }
}

/** The text of each generated file in sdk/src, by path. */
export function makeSdk(openapi: Openapi, ext: Openapi): Record<string, string> {
  const resources = readResources(openapi)
  const types = typeFiles(HEAD, openapi, resources, eventPlaces(openapi))
  const about = 'Operation id, method and path below /api/v1; `body` where the caller gives one.'
  return {
    ...makeSources(openapi),
    ...inFolder('api', types.files),
    'api/operations.ts': operationsFile(HEAD, resources, { name: 'OPERATIONS', about }),
    'testing/templates.ts': templatesFile(HEAD, openapi, resources),
    ...makeExt(ext, types.places),
  }
}

function makeExt(ext: Openapi, places: Places): Record<string, string> {
  const resources = readExtResources(ext)
  const known = new Map(
    [...places].map(([name, source]) => [
      name,
      source.startsWith('./') ? `../api/${source.slice(2)}` : source,
    ]),
  )
  const { files } = typeFiles(EXT_HEAD, ext, resources, known)
  const about =
    'Operation id, method and path; then what the caller gives: `body`, `query`, or how a list continues.'
  const exported = Object.keys(files)
    .toSorted()
    .map((name) => `export type * from './${name}'\n`)
  return {
    ...inFolder('ext', files),
    'ext/operations.ts': operationsFile(EXT_HEAD, resources, { name: 'EXT_OPERATIONS', about }),
    'ext/types.ts': EXT_HEAD + exported.join(''),
  }
}

function inFolder(folder: string, files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]),
  )
}

function write(name: string, text: string): void {
  const file = new URL(name, SOURCES)
  mkdirSync(new URL('.', file), { recursive: true })
  writeFileSync(file, text)
}

function committed(name: string): string | undefined {
  const file = new URL(name, SOURCES)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
