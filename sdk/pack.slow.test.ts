// The package as a project gets it, by the commands of docs/sdk.md.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { serveFake } from './test/serve-fake.ts'

const ROOT = join(import.meta.dirname, '..')
const SAMPLES = join(ROOT, 'docs/samples/sdk')
const MAX_BYTES = 6 * 1024
const run = promisify(execFile)

/** An empty project that ran the guide's commands, with a folder of its own instead of /tmp. */
async function install(t: TestContext): Promise<string> {
  const project = mkdtempSync(join(tmpdir(), 'upvane-pack-test-'))
  t.after(() => rmSync(project, { recursive: true }))
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}')
  const guide = readFileSync(join(ROOT, 'docs/sdk.md'), 'utf8')
  const commands = [...guide.matchAll(/```sh\n(.*)\n```/g)].map(([, command = '']) => command)
  assert.equal(commands.length, 2)
  for (const command of commands) {
    const [program = '', ...args] = command.replace('/tmp', project).split(' ')
    if (command.startsWith('npm run pack')) await run(program, args, { cwd: ROOT })
    else await run(program, [...args, '--offline', '--silent'], { cwd: project })
  }
  return project
}

const WEBHOOK = `
import { signWebhook, verifyWebhook } from '@upvane/sdk/webhooks'
const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const body = JSON.stringify({
  id: 'evt_x', type: 'webhook.test', timestamp: '', organizationId: 'org_x', data: { message: 'Hello' },
})
const headers = await signWebhook({ secret, id: 'evt_x', body })
console.log((await verifyWebhook({ secret, headers, body })).data.message)
`

test('the packed SDK works for a project that installed it', async (t) => {
  const project = await install(t)
  const { fake, baseUrl, close } = await serveFake()
  t.after(close)
  const env = { PATH: process.env['PATH'], UPVANE_URL: baseUrl, UPVANE_API_KEY: fake.apiKey }
  writeFileSync(join(project, 'webhook.ts'), WEBHOOK)
  // The fake does not know the extension API; test/e2e/sdk runs that sample against the product.
  const samples = globSync('*.ts', { cwd: SAMPLES }).filter((name) => name !== 'extension.ts')
  for (const sample of samples)
    writeFileSync(join(project, sample), readFileSync(join(SAMPLES, sample)))
  const outputs: Record<string, string> = {}
  for (const program of globSync('*.ts', { cwd: project })) {
    const { stdout } = await run(process.execPath, [join(project, program)], { cwd: project, env })
    outputs[program] = stdout
  }
  assert.equal(outputs['webhook.ts'], 'Hello\n')
  assert.equal(outputs['first-steps.ts'], 'Nightly backup PAUSED\nNightly backup PAUSED\n')
  assert.equal(outputs['errors.ts'], 'There is no such monitor.\n')
  assert.match(outputs['lists.ts'] ?? '', /^\d+ of \d+ monitors\n0 status pages\n$/)
  assert.match(outputs['once.ts'] ?? '', /^createMonitor 1 201 req_\d+ \d+\nQueue is new\n$/)
  assert.match(outputs['fake.ts'] ?? '', /pass 1\b/)
})

test('the manifest: every entry is there with its types, and there are no dependencies', async (t) => {
  const project = await install(t)
  const installed = join(project, 'node_modules/@upvane/sdk')
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    exports: Record<string, { types: string; default: string }>
    dependencies?: object
  }
  assert.equal(manifest.dependencies, undefined)
  assert.deepEqual(Object.keys(manifest.exports), ['.', './webhooks', './testing'])
  const files = new Set(globSync('**/*', { cwd: installed }))
  for (const { types, default: code } of Object.values(manifest.exports))
    for (const file of [types, code]) assert.ok(files.has(file.slice(2)), file)
  const strange = [...files].filter((file) => /test|fixture/.test(file) && !/testing/.test(file))
  assert.deepEqual(strange, [])
})

test('the whole main entry is at most 6 kB after gzip', async () => {
  const build = await rolldown({ input: join(import.meta.dirname, 'src/index.ts') })
  const { output } = await build.generate({ minify: true })
  await build.close()
  const bytes = gzipSync(output[0].code).length
  assert.ok(bytes <= MAX_BYTES, `${bytes} bytes`)
})
