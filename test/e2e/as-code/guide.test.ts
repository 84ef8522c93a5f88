// Runs every command of docs/as-code.md, in order, with the files that the document shows.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { COMPILE_CACHE } from '../../../tools/compile-cache.ts'
import { startBench } from './bench.ts'

const ROOT = join(import.meta.dirname, '../../..')
const GUIDE = readFileSync(join(ROOT, 'docs/as-code.md'), 'utf8')
const BLOCK = /(?:<!-- (file|exits) ([\w.-]{1,40}) -->\n)?```(\w{0,10})\n([\s\S]*?)```/g
const FEWEST_COMMANDS = 18

const bench = await startBench()
after(() => bench.stop())

test('every command of docs/as-code.md', async () => {
  const { key } = await bench.product.createOrganization()
  const directory = bench.path('guide')
  mkdirSync(join(directory, 'node_modules/@upvane'), { recursive: true })
  symlinkSync(join(ROOT, 'cli'), join(directory, 'node_modules/@upvane/cli'))
  const main = join(ROOT, 'cli/src/main.ts')
  writeFileSync(join(directory, 'upv'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`)
  chmodSync(join(directory, 'upv'), 0o755)
  const env = {
    PATH: `${directory}:${process.env['PATH']}`,
    ...COMPILE_CACHE,
    UPVANE_URL: bench.product.service.baseUrl,
    UPVANE_API_KEY: key,
  }
  let commands = 0
  for (const [, mark, value = '', language, text = ''] of GUIDE.matchAll(BLOCK)) {
    if (mark === 'file') writeFileSync(join(directory, value), text)
    if (language !== 'sh') continue
    commands += text.trim().split('\n').length
    const { code, output } = await runShell(text, directory, env)
    assert.equal(code, mark === 'exits' ? Number(value) : 0, `${text}\n${output}`)
    assert.ok(!output.includes('s3cr3t') && !output.includes(key), text)
  }
  assert.ok(commands >= FEWEST_COMMANDS, `only ${commands} commands seen`)
})

function runShell(
  text: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile('sh', ['-e', '-c', text], { cwd, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    )
  })
}
