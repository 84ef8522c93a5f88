// Writes openapi.json from the contract. With --check it only fails if the committed file differs.
import { readFileSync, writeFileSync } from 'node:fs'
import { createOpenapi, openapiText } from '../src/contract/public/openapi.ts'
import { OPERATIONS } from '../src/contract/public/operations.ts'

const file = new URL('../openapi.json', import.meta.url)
const text = openapiText(createOpenapi(OPERATIONS))

if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (committed() !== text) {
  console.error('openapi.json differs from the contract. Run "npm run make:openapi" and commit it.')
  process.exitCode = 1
}

function committed(): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
