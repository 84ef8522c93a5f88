// What needs a terminal: the hidden question for the key, and the status that redraws itself, as docs/cli.md shows it.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { COMPILE_CACHE } from '../../../tools/compile-cache.ts'
import { startCli, waitFor } from './fixture.ts'

const MAIN = join(import.meta.dirname, '../../../cli/src/main.ts')
const COLUMNS = 80
const ROWS = 24
const hasScript = spawnSync('script', ['--version']).status === 0
// In CI a missing program is a failure.
const skip = hasScript || process.env['CI'] ? false : 'script is not installed'

const cli = await startCli()
after(() => cli.stop())

type Shown = { process: ChildProcess; output(): string; ended: Promise<number | null> }

/** Runs upv on a terminal of 80 by 24. */
function onTerminal(t: TestContext, args: string[], env: Record<string, string> = {}): Shown {
  const upv = [process.execPath, MAIN, ...args].join(' ')
  const command = `stty cols ${COLUMNS} rows ${ROWS}; exec ${upv}`
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', ...COMPILE_CACHE, ...env },
  })
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { process: child, output: () => output, ended }
}

test('login asks for the key and does not show it', { skip }, async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'upvane-terminal-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'profiles.json')
  const key = cli.product.keys.full
  const shown = onTerminal(t, ['login', '--url', cli.baseUrl], { UPVANE_PROFILES_FILE: file })
  await waitFor('the question', async () => shown.output().includes('API key for'))
  shown.process.stdin?.write(`${key}\r`)
  assert.equal(await shown.ended, 0, shown.output())
  assert.ok(!shown.output().includes(key))
  assert.ok(readFileSync(file, 'utf8').includes(key))
})

test('status --watch: redraws, says when the connection is lost, and gives the screen back', {
  skip,
}, async (t) => {
  const other = await cli.product.stack.start('api')
  await cli.upvane.monitors.create({
    name: 'Watched\u001b[2J',
    type: 'PORT',
    host: '127.0.0.1',
    port: 1,
  })
  const env = { ...cli.environment(), UPVANE_URL: other.baseUrl, NO_COLOR: '1' }
  const shown = onTerminal(t, ['status', '--watch', '--every', '2s'], env)
  await waitFor('the incident', async () => shown.output().includes('Watched\uFFFD[2J'))
  const drawn = shown.output()
  assert.ok(drawn.includes('\u001b[?1049h') && drawn.includes('\u001b[?25l'))
  const lines = drawn.split('\u001b[').flatMap((piece) => /^\d+;1H(.*)$/.exec(piece)?.[1] ?? [])
  assert.ok(lines.length > 3)
  for (const line of lines) assert.ok(line.length <= COLUMNS, line)
  assert.ok(!drawn.includes('\u001b[31m'), 'NO_COLOR')
  const clears = drawn.split('\u001b[2J').length - 1
  assert.equal(clears, 1, 'the screen is cleared once, at the start')

  await other.kill()
  await waitFor('the loss', async () => shown.output().includes('Connection lost'))
  assert.match(shown.output(), /Showing data that is \d+ s old\./)
  // What the terminal sends for Ctrl-C.
  shown.process.stdin?.write('\u0003')
  assert.equal(await shown.ended, 0)
  assert.ok(shown.output().includes('\u001b[?25h\u001b[?1049l'), 'cursor and screen are back')
})
