// A tab stays open while the operator upgrades: its next screen comes from the new build.
import assert from 'node:assert/strict'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { startService } from '../../tools/stack.ts'
import { createTeam } from '../private/screens.ts'
import { startWebFixture, type WebFixture } from './fixture.ts'

const ROOT = join(import.meta.dirname, '../..')
const PARTS = [
  'src',
  'tools',
  'migrations',
  'web/dist',
  'package.json',
  'openapi.json',
  'openapi-ext.json',
]
const ENTRY = /index-[\w-]+(?=\.js)/g

let fixture: WebFixture
let next: string
before(async () => {
  fixture = await startWebFixture()
  next = makeNext()
})
after(async () => {
  await fixture.stop()
  rmSync(next, { recursive: true, force: true })
})

/** This version with the first script of its dashboard under another name, as if another line of it had changed. */
function makeNext(): string {
  const directory = mkdtempSync(join(tmpdir(), 'upvane-next-build-'))
  for (const name of PARTS) cpSync(join(ROOT, name), join(directory, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  const dist = join(directory, 'web/dist')
  const [entry = ''] = readFileSync(join(dist, 'index.html'), 'utf8').match(ENTRY) ?? []
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const path = join(dist, name)
    if (/\.(br|gz)$/.test(name)) rmSync(path)
    else if (/\.(js|html)$/.test(name))
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(entry, 'index-Next1234'))
  }
  renameSync(join(dist, `assets/${entry}.js`), join(dist, 'assets/index-Next1234.js'))
  return directory
}

test('after an upgrade a tab of the old build loads the next screen again, and stays as it is until then', async () => {
  const team = await createTeam(fixture)
  await team.createMonitor({
    name: 'Checkout',
    type: 'HTTP',
    url: 'https://internal-host-7.example.com/',
  })
  const { page, close } = await fixture.open(team.orgId, 'MEMBER', '/monitors')
  await page.getByText('Checkout').first().waitFor()
  await page.evaluate('globalThis.isOldTab = true')
  const isOldTab = () => page.evaluate('globalThis.isOldTab === true')
  const goTo = async (name: string) => {
    await page.getByRole('navigation').getByRole('link', { name }).first().click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  await goTo('Incidents')
  await goTo('Monitors')
  assert.equal(await isOldTab(), true, 'the same build')

  const port = Number(new URL(fixture.service.baseUrl).port)
  await fixture.service.stop()
  const { env, directory } = fixture.stack
  const { startService: startNext } = (await import(join(next, 'tools/stack.ts'))) as {
    startService: typeof startService
  }
  const service = await startNext('api', directory, env, port)
  // The screen follows by itself, and learns of the other build.
  await team.createMonitor({
    name: 'Payments',
    type: 'HTTP',
    url: 'https://internal-host-7.example.com/',
  })
  await page.getByText('Payments').first().waitFor()
  assert.equal(await isOldTab(), true, 'nothing is lost that is being written')
  await goTo('Status pages')
  assert.equal(await isOldTab(), false)
  await goTo('Incidents')
  await close()
  await service.stop()
})
