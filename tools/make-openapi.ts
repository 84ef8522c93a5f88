// Writes openapi.json and openapi-ext.json from the contract. With --check it only fails if a committed file differs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { EXT_API } from '../src/contract/ext/openapi.ts'
import { EXT_OPERATIONS } from '../src/contract/ext/operations.ts'
import { createOpenapi, openapiText } from '../src/contract/public/openapi.ts'
import { OPERATIONS } from '../src/contract/public/operations.ts'

const DOCUMENTS = {
  'openapi.json': createOpenapi(OPERATIONS),
  'openapi-ext.json': createOpenapi(EXT_OPERATIONS, { subject: EXT_API }),
}

for (const [name, document] of Object.entries(DOCUMENTS)) {
  const file = new URL(`../${name}`, import.meta.url)
  const text = openapiText(document)
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`${name} differs from the contract. Run "npm run make:openapi" and commit it.`)
    process.exitCode = 1
  }
}
