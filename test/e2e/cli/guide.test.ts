// Runs docs/cli.md: every command, in its order, in a shell, against the running product.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { COMPILE_CACHE } from '../../../tools/compile-cache.ts'
import { startCli } from './fixture.ts'

const ROOT = join(import.meta.dirname, '../../..')
const EXAMPLE_URL = 'https://upvane.example.com'
const EXAMPLE_TARGET = 'https://shop.example.com/health'
const EXAMPLE_INCIDENT = 'inc_01m7e3k4y5e5fr0039rkamsgk4'
const FENCE = /^```sh(?: test=(\S+))?\n([^`]*)\n```$/gm
const run = promisify(execFile)

const guide = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8')
const blocks = [...guide.matchAll(FENCE)].map(([, testedBy, text = '']) => ({ testedBy, text }))

const cli = await startCli()
const home = mkdtempSync(join(tmpdir(), 'upvane-guide-'))
after(async () => {
  await cli.stop()
  rmSync(home, { recursive: true })
})
const { upvane, web, product } = cli

/** What the guide names: monitors, an open incident, a page, and a release. */
async function prepare(): Promise<Record<string, string>> {
  const target = web.page({ status: 200, body: 'ok' })
  const broken = web.page({ status: 503 })
  const fields = { type: 'HTTP', intervalSeconds: 86_400 } as const
  const checkout = await upvane.monitors.create({ name: 'Checkout', url: target.url, ...fields })
  const { id } = await upvane.monitors.create({ name: 'Blog', url: broken.url, ...fields })
  await upvane.monitors.create({ name: 'Old shop', type: 'CRON' })
  await upvane.monitors.check(id)
  const [incident] = await upvane.incidents.list({ monitorId: id }).all()
  await upvane.statusPages.create({
    name: 'Example',
    slug: 'example-shop',
    monitorIds: [checkout.id],
  })
  writeFileSync(join(home, 'key.txt'), `${product.keys.full}\n`)
  writeFileSync(join(home, 'release.sh'), '#!/bin/sh\necho "released $1"\n', { mode: 0o755 })
  mkdirSync(join(home, 'bin'))
  const main = join(ROOT, 'cli/src/main.ts')
  const wrapper = `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`
  writeFileSync(join(home, 'bin/upv'), wrapper, { mode: 0o755 })
  return {
    [EXAMPLE_URL]: cli.baseUrl,
    [EXAMPLE_TARGET]: target.url,
    [EXAMPLE_INCIDENT]: incident?.id ?? assert.fail('no incident'),
  }
}

const replacements = await prepare()

async function runBlock(text: string): Promise<string> {
  const command = Object.entries(replacements).reduce(
    (all, [example, real]) => all.replaceAll(example, real),
    text,
  )
  const running = run('bash', ['-euo', 'pipefail', '-c', command], {
    cwd: home,
    env: { PATH: `${home}/bin:${process.env['PATH']}`, HOME: home, ...COMPILE_CACHE },
  })
  // The key, for the command that asks for it.
  running.child.stdin?.on('error', () => undefined)
  running.child.stdin?.end(`${product.keys.full}\n`)
  const { stdout, stderr } = await running
  assert.ok(!(stdout + stderr).includes(product.keys.full), 'the key is never shown')
  return stdout
}

test('the guide: every command that is not tested elsewhere works as written', async () => {
  const own = blocks.filter(({ testedBy }) => testedBy === undefined)
  assert.ok(own.length > 12)
  for (const { text } of own)
    await runBlock(text).catch((error: Error & { stderr?: string }) => {
      assert.fail(`${text}\n${error.stderr ?? error.message}`)
    })
  assert.match(readFileSync(join(home, 'upv.bash'), 'utf8'), /complete -F _upv upv/)
  const report = JSON.parse(readFileSync(join(home, 'release.json'), 'utf8')) as { isGood: boolean }
  assert.equal(report.isGood, true)
})

test('the guide: blocks tested elsewhere name a test that names the guide', () => {
  const elsewhere = blocks.filter(({ testedBy }) => testedBy !== undefined)
  assert.ok(elsewhere.length > 0)
  for (const { testedBy = '' } of elsewhere) {
    const path = join(ROOT, testedBy)
    assert.ok(existsSync(path), testedBy)
    assert.match(readFileSync(path, 'utf8'), /docs\/cli\.md/)
  }
})
