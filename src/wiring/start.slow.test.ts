import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const FETCH = 'NativeModule internal/deps/undici/undici'

/** What loading the role leaves in the process. */
function modulesOf(role: string): string[] {
  const file = join(import.meta.dirname, `${role}.ts`)
  const program = `await import(${JSON.stringify(file)}); console.log(JSON.stringify(process.moduleLoadList))`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { encoding: 'utf8' },
  )
  assert.notEqual(stdout, '', stderr)
  return JSON.parse(stdout) as string[]
}

for (const role of ['api/api', 'scheduler', 'dispatcher', 'probe', 'janitor', 'serve'])
  test(`${role}: starting it does not load what Node has for fetch`, () => {
    const loaded = modulesOf(role)
    assert.ok(loaded.length > 100)
    assert.ok(!loaded.includes(FETCH), 'an import from node:http? See platform/node-http.ts')
  })
