// Writes everything in the SDK that is generated from openapi.json: node sdk/make-sdk.ts
// With --check it only fails if a committed file differs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { operationsFile, readResources, typeFiles } from './make/resources.ts'
import { type Openapi, readOpenapi } from './make/schema.ts'
import { templatesFile } from './make/templates.ts'
import { makeSources } from './make-events.ts'

const SOURCES = new URL('./src/', import.meta.url)
const HEAD =
  '// Made from openapi.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.\n'

if (import.meta.main) {
  const files = Object.entries(makeSdk(readOpenapi()))
  const stale = files.filter(([name, text]) => committed(name) !== text)
  if (!process.argv.includes('--check'))
    for (const [name, text] of stale) writeFileSync(new URL(name, SOURCES), text)
  else if (stale.length > 0) {
    const names = stale.map(([name]) => `sdk/src/${name}`).join(', ')
    process.stderr.write(`Differs from openapi.json: ${names}. Run "npm run make:openapi".\n`)
    process.exitCode = 1
  }
}

/** The text of each generated file in sdk/src, by path. */
export function makeSdk(openapi: Openapi): Record<string, string> {
  const resources = readResources(openapi)
  const types = Object.entries(typeFiles(HEAD, openapi, resources))
  return {
    ...makeSources(openapi),
    ...Object.fromEntries(types.map(([name, text]) => [`api/${name}`, text])),
    'api/operations.ts': operationsFile(HEAD, resources),
    'testing/templates.ts': templatesFile(HEAD, openapi, resources),
  }
}

function committed(name: string): string | undefined {
  const file = new URL(name, SOURCES)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
