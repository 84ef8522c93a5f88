// Regions of monitors and tags in a file: planned, applied, shown as they are, changed and removed.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Upvane } from '@upvane/sdk'
import { runUpv } from '../../../cli/test/run-upv.ts'
import { startProduct } from '../../kit/fixture.ts'

const product = await startProduct({ command: 'start' })
const directory = mkdtempSync(join(tmpdir(), 'upvane-regions-'))
const FILE = join(directory, 'upvane.yaml')
before(() =>
  product.db.run(
    `insert into regions (name) values ('eu-west'), ('us-east') on conflict (name) do nothing`,
  ),
)
after(async () => {
  rmSync(directory, { recursive: true })
  await product.stop()
})

const write = (monitor: string, tag: string) =>
  writeFileSync(
    FILE,
    `version: 1
source: places
tags: { sites: { name: Sites${tag} } }
monitors:
  shop: { name: Shop, type: CRON, tags: [sites], contacts: []${monitor} }
`,
  )

test('a file says where monitors and tags are checked from', async () => {
  const { key } = await product.createOrganization()
  const { baseUrl } = product.service
  const env = { UPVANE_URL: baseUrl, UPVANE_API_KEY: key }
  const { ext } = new Upvane({ apiKey: key, baseUrl })
  const upv = async (code: number, ...words: string[]) => {
    const run = await runUpv([...words, '-f', FILE], env)
    assert.equal(run.code, code, run.stdout + run.stderr)
    return run.stdout
  }
  const apply = () => upv(0, 'apply', '--yes')
  const isDone = () => upv(0, 'plan', '--detailed-exitcode')
  const chosen = async () => {
    const [monitor] = await ext.monitors.list().all()
    const [tag] = await ext.tags.list().all()
    return [monitor?.regions?.regions ?? [], tag?.regions?.regions ?? []]
  }

  write(', regions: [eu-west, us-east]', ', regions: [us-east]')
  // A monitor has them from the beginning; a tag needs one more. And the bindings before and after.
  assert.match(await upv(0, 'plan'), /about 5 requests/)
  await apply()
  assert.deepEqual(await chosen(), [['eu-west', 'us-east'], ['us-east']])
  await isDone()
  const copy = join(directory, 'copy.yaml')
  const exported = await runUpv(['export', '--source', 'places', '-o', copy], env)
  assert.equal(exported.code, 0, exported.stderr)
  assert.match(
    readFileSync(copy, 'utf8'),
    /regions:\s*(\[ ?eu-west, us-east ?\]|- eu-west\s+- us-east)/,
  )

  // The order is which one is asked first.
  write(', regions: [us-east, eu-west]', '')
  await apply()
  assert.deepEqual(await chosen(), [['us-east', 'eu-west'], ['us-east']], 'left out, they stay')
  await isDone()

  // In all of them at once.
  write(', regions: { each: [us-east, eu-west], downWhen: 1 }', ', regions: { each: [us-east] }')
  await apply()
  const shown = (await ext.monitors.list().all())[0]?.regions
  assert.deepEqual(shown, { regions: ['us-east', 'eu-west'], mode: 'EACH', downWhen: 1 })
  const ofTag = (await ext.tags.list().all())[0]?.regions
  assert.deepEqual(ofTag, { regions: ['us-east'], mode: 'EACH', downWhen: null })
  await isDone()
  const each = join(directory, 'each.yaml')
  assert.equal((await runUpv(['export', '--source', 'places', '-o', each], env)).code, 0)
  assert.match(readFileSync(each, 'utf8'), /each:[\s\S]*downWhen: 1/)
  write(', regions: { each: [us-east, eu-west] }', '')
  await apply()
  await isDone()

  write(', regions: []', ', regions: []')
  await apply()
  assert.deepEqual(await chosen(), [[], []])
  await isDone()

  write(', regions: [mars]', '')
  const refused = await runUpv(['apply', '--yes', '-f', FILE], env)
  assert.equal(refused.code, 1)
  assert.match(refused.stdout + refused.stderr, /must be one of: .*eu-west/)
})
