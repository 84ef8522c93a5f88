// Thousands of failing attempts leak nothing: no descriptors, timers or memory.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:https'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { httpTarget, openAttemptFixture } from '../../test/kit/targets/attempt-fixture.ts'
import { createAuthority } from '../../test/kit/targets/certificates.ts'
import { mute, startHostile } from '../../test/kit/targets/hostile.ts'
import { listen } from '../../test/kit/targets/listen.ts'
import type { CheckTarget } from './registry.ts'

const ATTEMPTS = 2_000
const ROUNDS = 3
const AT_ONCE = 50
// A single leaked listener or timer costs more than this.
const MOST_BYTES_EACH = 64
const MOST_DESCRIPTORS = 10

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const descriptors = () => readdirSync('/proc/self/fd').length
/** Memory that is really in use: finalizers and closing sockets need event loop turns between collections. */
async function heapBytes(): Promise<number> {
  for (let i = 0; i < 10; i++) {
    collect()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return process.memoryUsage().heapUsed
}

test(`${ATTEMPTS * ROUNDS} attempts on refusing, expired, mute and nameless targets leak nothing`, async (context) => {
  const day = 86_400_000
  const authority = createAuthority()
  const expired = authority.issue('expired.test', {
    notBefore: new Date(Date.now() - 9 * day),
    notAfter: new Date(Date.now() - day),
  })
  const secure = await listen(createServer(expired))
  const silent = await startHostile(mute)
  const fixture = await openAttemptFixture({
    dns: ({ name }) => (name === 'mute.test' ? 'SILENCE' : undefined),
  })
  context.after(async () => {
    await Promise.all([secure.close(), silent.close(), fixture.close()])
    authority.remove()
  })
  const targets: CheckTarget[] = [
    httpTarget('http://127.0.0.1:1'),
    httpTarget(`https://127.0.0.1:${secure.port}`),
    httpTarget(`http://127.0.0.1:${silent.port}`),
    httpTarget(`https://127.0.0.1:${silent.port}`),
    httpTarget('http://localhost:1'),
    httpTarget('http://mute.test'),
  ]
  async function run(count: number): Promise<void> {
    for (let done = 0; done < count; done += AT_ONCE) {
      const batch = Array.from({ length: AT_ONCE }, (_, i) => targets[i % targets.length])
      const attempts = batch.map((target) => target && fixture.attempt(target, 60))
      for (const attempt of await Promise.all(attempts)) assert.notEqual(attempt?.outcome, 'OK')
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
    // The test's own records must not be measured.
    fixture.dns.asked.length = 0
  }

  await run(2 * ATTEMPTS)
  const descriptorsBefore = descriptors()
  const growths: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = await heapBytes()
    await run(ATTEMPTS)
    growths.push(((await heapBytes()) - before) / ATTEMPTS)
  }
  // The median, because V8 discards megabytes of compiled code at unpredictable times.
  const bytesEach = growths.toSorted((x, y) => x - y)[Math.floor(ROUNDS / 2)] ?? Number.NaN
  context.diagnostic(`heap ${growths.map(Math.round)} B each, median ${Math.round(bytesEach)}`)
  assert.ok(bytesEach < MOST_BYTES_EACH, `${bytesEach} B each`)
  assert.ok(Math.abs(descriptors() - descriptorsBefore) <= MOST_DESCRIPTORS)
})

test('used-up descriptors are our fault, never the target’s', () => {
  const script = `
    const { openSync } = await import('node:fs')
    const { openAttemptFixture } = await import('${import.meta.dirname}/../../test/kit/targets/attempt-fixture.ts')
    const fixture = await openAttemptFixture()
    try { for (;;) openSync('/dev/null') } catch {}
    const target = { type: 'PORT', host: '127.0.0.1', port: 1, timeoutSeconds: 1 }
    console.log(JSON.stringify(await fixture.attempt(target)))
    process.exit()`
  const command = `ulimit -n 80; exec "${process.execPath}" --input-type=module -e "$SCRIPT"`
  const env = { ...process.env, SCRIPT: script }
  const { stdout, stderr } = spawnSync('sh', ['-c', command], { env, encoding: 'utf8' })
  assert.match(stdout, /"reason":"OUT_OF_DESCRIPTORS"/, stderr)
})
