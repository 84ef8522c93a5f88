// `npm run demo` as a visitor starts it: ninety days of a company, a dashboard and a status page.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../../..')
const STARTED = /Status page +(http:\/\/\S+)/

test('the demo starts, shows its status page, and ends cleanly', async () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const demo = spawn(process.execPath, [join(ROOT, 'tools/demo.ts')], { cwd: ROOT, env })
  const ended = once(demo, 'exit')
  let output = ''
  const page = new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk
      const address = STARTED.exec(output)?.[1]
      if (address !== undefined) resolve(address)
    }
    demo.stdout.on('data', hear)
    demo.stderr.on('data', hear)
    demo.once('exit', () => reject(new Error(`The demo ended:\n${output}`)))
  })
  const answer = await fetch(await page)
  const html = await answer.text()
  demo.kill('SIGTERM')
  const [code] = await ended
  assert.equal(answer.status, 200)
  assert.match(html, /Acme/)
  assert.equal(code, 0)
})
