// `upv` against the running product, with a target whose answers a test changes.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { Upvane } from '@upvane/sdk'
import { type Ended, type Running, runUpv, startUpv } from '../../../cli/test/run-upv.ts'
import { startProduct } from '../../kit/fixture.ts'
import { startWeb } from '../../kit/targets/web.ts'

const POLL_MS = 100

export async function startCli(env: Record<string, string> = {}) {
  const web = await startWeb()
  const product = await startProduct({ command: 'start', env })
  const { baseUrl } = product.service
  const environment = (key = product.keys.full) => ({ UPVANE_URL: baseUrl, UPVANE_API_KEY: key })
  return {
    web,
    product,
    baseUrl,
    upvane: new Upvane({ baseUrl, apiKey: product.keys.full }),
    environment,
    run: (args: string[], key?: string): Promise<Ended> => runUpv(args, environment(key)),
    start: (args: string[]): Running => startUpv(args, environment()),
    async stop() {
      await product.stop()
      await web.close()
    },
  }
}

type Cli = Awaited<ReturnType<typeof startCli>>

/** The parsed output of a command that must succeed. */
export async function readJson<Data>(cli: Cli, args: string[]): Promise<Data> {
  const { code, stdout, stderr } = await cli.run([...args, '--json'])
  assert.deepEqual([code, stderr], [0, ''], stderr)
  return JSON.parse(stdout) as Data
}

export async function waitFor(what: string, holds: () => Promise<boolean>, timeoutMs = 30_000) {
  for (let waitedMs = 0; !(await holds()); waitedMs += POLL_MS) {
    assert.ok(waitedMs < timeoutMs, `${what}: waited in vain`)
    await delay(POLL_MS)
  }
}
