// A configuration file can be a program. Anyone who sends a pull request can send one.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const MAIN = join(import.meta.dirname, '../../main.ts')
const folder = mkdtempSync(join(tmpdir(), 'upvane-programs-'))
const ran = join(folder, 'ran')
after(() => rmSync(folder, { recursive: true }))

writeFileSync(
  join(folder, 'upvane.config.ts'),
  `import { writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(ran)}, 'yes')
export default { version: 1, source: 'shop', monitors: {} }
`,
)

function upv(...args: string[]) {
  const env = { PATH: process.env['PATH'] ?? '' }
  return spawnSync(process.execPath, [MAIN, ...args], { cwd: folder, env, encoding: 'utf8' })
}

test('validate: does not run a program that it finds in the folder', () => {
  for (const args of [['validate'], ['validate', '--json']]) {
    const { status, stderr } = upv(...args)
    assert.equal(status, 2)
    assert.match(stderr, /upvane\.config\.ts is a program, and checking it runs it/)
    assert.ok(!existsSync(ran))
  }
})

test('validate -f: runs the program that is named', () => {
  const { status, stdout, stderr } = upv('validate', '-f', 'upvane.config.ts')
  assert.equal(status, 0, stderr)
  assert.match(stdout, /upvane\.config\.ts is valid/)
  assert.ok(existsSync(ran))
})

test('a program finds this package, though its folder has none', () => {
  writeFileSync(
    join(folder, 'own.config.ts'),
    `import { defineConfig } from '@upvane/cli'
export default defineConfig({ version: 1, source: 'shop', monitors: {} })
`,
  )
  const { status, stderr } = upv('validate', '-f', 'own.config.ts')
  assert.equal(status, 0, stderr)
  writeFileSync(join(folder, 'other.config.ts'), `import 'no-such-package'\nexport default {}\n`)
  const other = upv('validate', '-f', 'other.config.ts')
  assert.equal(other.status, 2)
  assert.match(other.stderr, /cannot be run: Cannot find package 'no-such-package'/)
})
