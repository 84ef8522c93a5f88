// npm runs no script of a dependency in this repository: what one does could not be reviewed by its hash alone.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'

const SETTINGS = join(import.meta.dirname, '../.npmrc')
const run = promisify(execFile)
const home = mkdtempSync(join(tmpdir(), 'upvane-scripts-'))
after(() => rmSync(home, { recursive: true }))

before(async () => {
  const dependency = join(home, 'dependency')
  mkdirSync(dependency)
  const scripts = Object.fromEntries(
    ['preinstall', 'install', 'postinstall'].map((name) => [name, `touch "${home}/$RAN"`]),
  )
  const manifest = { name: 'dependency', version: '1.0.0', scripts }
  writeFileSync(join(dependency, 'package.json'), JSON.stringify(manifest))
  await run('npm', ['pack', '--silent', '--pack-destination', home], { cwd: dependency })
})

/** Whether a script of the dependency ran. */
async function install(name: string, settings?: string): Promise<boolean> {
  const project = join(home, `project-${name}`)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"private":true}')
  if (settings !== undefined) copyFileSync(settings, join(project, '.npmrc'))
  // Drops the settings of the npm that runs this test.
  const own = Object.entries(process.env).filter(([variable]) => !variable.startsWith('npm_'))
  const env = { ...Object.fromEntries(own), RAN: name }
  const archive = join(home, 'dependency-1.0.0.tgz')
  await run('npm', ['install', '--silent', '--offline', '--no-audit', archive], {
    cwd: project,
    env,
  })
  assert.ok(existsSync(join(project, 'node_modules/dependency')))
  return existsSync(join(home, name))
}

test('npm: no script of a dependency runs with our settings, and it would without them', async () => {
  assert.equal(await install('ours', SETTINGS), false)
  assert.equal(await install('none'), true)
})
