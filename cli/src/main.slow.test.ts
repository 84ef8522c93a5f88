import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import manifest from '../package.json' with { type: 'json' }
import { runUpv } from '../test/run-upv.ts'

for (const args of [[], ['help']])
  test(`upv ${args.join(' ')}: lists the commands`, async () => {
    const { code, stdout, stderr } = await runUpv(args)
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^ {2}upv listen +receive webhooks/m)
    assert.match(stdout, /^ {2}upv monitors list +list monitors/m)
  })

for (const args of [
  ['listen', '--help'],
  ['help', 'listen'],
  ['listen', '--port', 'x', '-h'],
])
  test(`upv ${args.join(' ')}: describes the command`, async () => {
    const { code, stdout } = await runUpv(args)
    assert.equal(code, 0)
    assert.match(stdout, /^upv listen: /)
    for (const option of ['port', 'secret', 'status', 'forward', 'verbose', 'json', 'register'])
      assert.match(stdout, new RegExp(`^ {2}--${option} `, 'm'))
  })

for (const args of [['--version'], ['version']])
  test(`upv ${args.join(' ')}`, async () => {
    assert.equal((await runUpv(args)).stdout, `${manifest.version}\n`)
  })

test('upv monitors --help: lists the commands of a group', async () => {
  const { code, stdout } = await runUpv(['monitors', '--help'])
  assert.equal(code, 0)
  assert.match(stdout, /^ {2}upv monitors list .*\n(?: {2}upv monitors .*\n)+$/)
})

test('upv sing: no such command ends with 2 and says where to look', async () => {
  const { code, stdout, stderr } = await runUpv(['sing'])
  assert.deepEqual([code, stdout], [2, ''])
  assert.equal(stderr, 'upv: there is no command "sing". "upv help" lists them.\n')
})

test('an old Node is named, and nothing else is read', () => {
  const versions = '{ ...process.versions, node: "20.20.2" }'
  const old = `data:text/javascript,Object.defineProperty(process, "versions", { value: ${versions} })`
  const main = join(import.meta.dirname, 'main.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', old, main, 'status'])
  assert.deepEqual(
    [status, stdout.toString(), stderr.toString()],
    [1, '', 'upv needs Node 22 or newer, and this is Node 20.20.2.\n'],
  )
})
