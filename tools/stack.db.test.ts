import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { isRunning, signal, waitUntilGone } from './services/processes.ts'

const GONE_WITHIN_MS = 10_000

const PARENT = `
  import { startStack } from './stack.ts'
  const stack = await startStack({ nats: false })
  const { process: { pid } } = await stack.start()
  console.log(JSON.stringify({ pid, directory: stack.directory }))`

test('a service ends with the process that started it, even when that is killed', async () => {
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', PARENT], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await Promise.race([
    once(parent.stdout, 'data'),
    once(parent, 'exit').then(() => assert.fail('The parent ended before all was up.')),
  ])
  const { pid, directory } = JSON.parse(String(line)) as { pid: number; directory: string }
  assert.ok(isRunning(pid))

  parent.kill('SIGKILL')
  const isGone = await waitUntilGone([pid], GONE_WITHIN_MS)
  signal(pid, 'SIGKILL')
  assert.ok(isGone, `The service, ${pid}, goes on.`)
  while (existsSync(directory)) await new Promise((resolve) => setTimeout(resolve, 20))
})
