// Runs the API description through two client generators with default settings: generate, compile under `strict`, then
// call every operation of the running product and validate each response against its schema.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { readOperations, type Schema, toStrict } from '../../db-kit/openapi-document.ts'
import { startProduct } from '../../kit/fixture.ts'
import { startWeb } from '../../kit/targets/web.ts'
import type { Call } from './programs/record.ts'

const run = promisify(execFile)
const HERE = import.meta.dirname
const ROOT = join(HERE, '../../..')
const OPENAPI = join(ROOT, 'openapi.json')
const MAX_OUTPUT_BYTES = 10_000_000
const LONGEST_MS = 120_000
const { resolve } = createRequire(import.meta.url)

const fixture = await startProduct({ command: 'start' })
const web = await startWeb()
const target = web.page({ status: 503 })
const receiver = web.page({ status: 204 })
const directory = mkdtempSync(join(tmpdir(), 'upvane-generators-'))
after(async () => {
  await fixture.stop()
  await web.close()
  rmSync(directory, { recursive: true })
})

type Generator = { name: string; program: string; generate(into: string): Promise<unknown> }

const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript and openapi-fetch',
    program: 'use-openapi-fetch',
    generate: (into) => node(bin('openapi-typescript'), OPENAPI, '-o', join(into, 'schema.ts')),
  },
  {
    name: '@hey-api/openapi-ts',
    program: 'use-hey-api',
    generate: (into) => node(bin('openapi-ts'), '-i', OPENAPI, '-o', join(into, 'client')),
  },
]

for (const { name, program, generate } of GENERATORS)
  test(`${name}: generates, compiles under strict, and calls all 37 operations`, async (t) => {
    const project = openProject(program)
    const startedAt = performance.now()
    const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
    await generate(project)
    t.diagnostic(`generated after ${seconds()}`)
    await node(bin('tsc'), '-p', project)
    t.diagnostic(`compiled after ${seconds()}`)
    const { stdout } = await run(process.execPath, [join(project, 'out', `${program}.js`)], {
      timeout: LONGEST_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
      env: {
        BASE_URL: fixture.service.baseUrl,
        API_KEY: fixture.keys.full,
        TARGET: target.url,
        RECEIVER: receiver.url,
      },
    })
    t.diagnostic(`called after ${seconds()}`)
    assertCalls(JSON.parse(stdout) as Call[])
    assert.ok(receiver.seen.length > 0, 'the receiver got nothing')
  })

/** Every operation was called, and each response is a success with the documented body. */
function assertCalls(calls: Call[]): void {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': true } })
  const operations = new Map(readOperations().map((operation) => [operation.id, operation]))
  assert.equal(operations.size, 37)
  assert.deepEqual(new Set(calls.map(({ operation }) => operation)), new Set(operations.keys()))
  for (const { operation, status, body } of calls) {
    const documented = operations.get(operation)?.responses.get(status)
    assert.ok(documented && status < 300, `${operation} answered ${status}`)
    const fits = ajv.validate(toStrict(documented.schema) as Schema, body)
    assert.ok(fits, `${operation}: ${ajv.errorsText()}`)
  }
}

/** A project as a user would have it: only the generator's package, and `strict`. */
function openProject(program: string): string {
  const project = join(directory, program)
  mkdirSync(join(project, 'node_modules'), { recursive: true })
  symlinkSync(packageOf('openapi-fetch'), join(project, 'node_modules/openapi-fetch'))
  for (const file of ['record.ts', `${program}.ts`])
    copyFileSync(join(HERE, 'programs', file), join(project, file))
  const compilerOptions = {
    strict: true,
    target: 'es2022',
    module: 'commonjs',
    moduleResolution: 'node10',
    esModuleInterop: true,
    // Checks only the generated code and its caller, not the types of Node and the browser.
    skipLibCheck: true,
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    outDir: 'out',
  }
  const tsconfig = { compilerOptions, files: [`${program}.ts`] }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(tsconfig))
  return project
}

const packageOf = (name: string): string => dirname(resolve(`${name}/package.json`))

/** Installed for this directory only, with the TypeScript version the generators need. */
const bin = (name: string): string => join(HERE, 'node_modules/.bin', name)

async function node(...command: string[]): Promise<void> {
  try {
    await run(process.execPath, command, { timeout: LONGEST_MS, maxBuffer: MAX_OUTPUT_BYTES })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command[0]}: ${stdout.slice(0, 4000)}${stderr.slice(0, 2000)}`)
  }
}
