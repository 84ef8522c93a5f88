// The transcript of docs/moving.md: the same commands on the same database print what the document shows.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Upvane } from '@upvane/sdk'
import { makeKumaDatabase } from '../../../cli/test/import/kuma-database.ts'
import { THIRTY } from '../../../cli/test/import/kuma-thirty.ts'
import { startProduct } from '../../kit/fixture.ts'
import { openShell } from './shell.ts'

const GUIDE = readFileSync(join(import.meta.dirname, '../../../docs/moving.md'), 'utf8')
const MAX_MS = 5 * 60_000
const SECRETS = 'set -a; [ ! -f secrets.env ] || . ./secrets.env; set +a\n'

const folder = mkdtempSync(join(tmpdir(), 'upv-example-'))
const product = await startProduct()
after(async () => {
  await product.stop()
  rmSync(folder, { recursive: true })
})
const shell = openShell(folder)
const { baseUrl } = product.service

type Shown = { command: string; lines: string[] }

function transcript(): Shown[] {
  const [, block = ''] = /^```console\n(.*?)^```$/ms.exec(GUIDE) ?? []
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [command = '', ...lines] = text.trimEnd().split('\n')
      return { command, lines: lines.filter((line) => line.trim() !== '' && line.trim() !== '…') }
    })
}

/** What differs from run to run is as in the document. */
const neutral = (output: string): string[] =>
  output
    .replaceAll(baseUrl, 'https://upvane.example.com')
    .replaceAll(/hb\/alias\/[\w-]{24}/g, 'hb/alias/YOUR_ID')
    .replaceAll(/mon_\w+/g, 'mon_…')
    .replaceAll(/about \d+ requests, \d+ s/g, 'about N requests, N s')
    .replaceAll(/\d+ m?s ago|just now/g, 'N s ago')
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())

test('the commands print what the document shows, within five minutes', async (t) => {
  makeKumaDatabase(join(folder, 'kuma.db'), 2, THIRTY)
  const env = { UPVANE_URL: baseUrl, UPVANE_API_KEY: product.keys.full }
  const commands = transcript()
  assert.equal(commands.length, 7)
  const startedMs = performance.now()
  let id = ''
  for (const { command, lines } of commands) {
    const here = command.replaceAll('https://upvane.example.com', baseUrl).replaceAll('YOUR_ID', id)
    const { stdout } = await shell(folder, `${SECRETS}{ ${here}; } 2>&1`, env)
    id = /hb\/alias\/([\w-]{24})/.exec(stdout)?.[1] ?? id
    const [summary] = /\d+ to create, .+/.exec(stdout) ?? []
    if (summary !== undefined) t.diagnostic(summary)
    const printed = new Set(neutral(stdout))
    for (const line of neutral(lines.join('\n')))
      assert.ok(line === '' || printed.has(line), `${command}\nshould print: ${line}\n${stdout}`)
  }
  const tookMs = performance.now() - startedMs
  t.diagnostic(`${(tookMs / 1000).toFixed(1)} s`)
  assert.ok(tookMs < MAX_MS, `${tookMs} ms`)
})

test('the monitors are there, and no file that is shared has a secret', async () => {
  const upvane = new Upvane({ baseUrl, apiKey: product.keys.full })
  const monitors = await upvane.monitors.list().all()
  // 19 of Uptime Kuma, and one for each domain that it reminds of.
  assert.equal(monitors.length, 24)
  for (const name of ['upvane.yaml', 'import-report.json'])
    assert.ok(!readFileSync(join(folder, name), 'utf8').includes('planted'), name)
})
