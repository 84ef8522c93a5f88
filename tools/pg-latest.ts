// `npm run long pg-latest`: installs the newest `pg` into a temporary folder, gives it to the store in place of the pinned
// one, and runs the tests of the suite `plain` with both protocols. The store must work with it by the plain one; where
// the fast one fails, src/store/wire/pg-version.test.ts says what to compare.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { filesOf } from './tests/suites.ts'

const ROOT = join(import.meta.dirname, '..')
const RUN_TESTS = 'tools/run-tests.ts'

const folder = mkdtempSync(join(tmpdir(), 'upvane-pg-latest-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const used = join(folder, 'used')
const version = install(folder)
console.log(`pg ${version}, in place of ${readVersion(ROOT)}`)

const env = { ...process.env, NODE_OPTIONS: `--import=${pathToFileURL(writeHook(folder))}` }
const failed = [
  ...run('plain', [RUN_TESTS, 'plain']),
  ...run('fast', [RUN_TESTS, 'db+contract+app', ...filesOf('plain')]),
]
if (!existsSync(used)) throw new Error('The tests did not load it.')
if (failed.length > 0) console.error(`Failed with pg ${version}: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0

/** By the rules of this project: without scripts, and no version that is only a few days old. */
function install(directory: string): string {
  copyFileSync(join(ROOT, '.npmrc'), join(directory, '.npmrc'))
  writeFileSync(join(directory, 'package.json'), '{}')
  const { status } = spawnSync('npm', ['install', 'pg@latest'], {
    cwd: directory,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('pg could not be installed.')
  return readVersion(directory)
}

function readVersion(directory: string): string {
  return JSON.parse(readFileSync(join(directory, 'node_modules/pg/package.json'), 'utf8')).version
}

/** Every process of the tests, and of the products that they start, loads it first. */
function writeHook(directory: string): string {
  const [store, parentURL] = [join(ROOT, 'src/store/'), join(directory, 'package.json')].map(
    (path) => JSON.stringify(pathToFileURL(path).href),
  )
  const path = join(directory, 'use-it.mjs')
  const text = `import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({
  resolve(name, context, next) {
    if (name !== 'pg' || !context.parentURL?.startsWith(${store})) return next(name, context)
    writeFileSync(${JSON.stringify(used)}, '')
    return next(name, { ...context, parentURL: ${parentURL} })
  },
})
`
  writeFileSync(path, text)
  return path
}

function run(protocol: string, command: string[]): string[] {
  console.log(`\n== the ${protocol} protocol`)
  const { status } = spawnSync(process.execPath, command, { cwd: ROOT, stdio: 'inherit', env })
  return status === 0 ? [] : [protocol]
}
