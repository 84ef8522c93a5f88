import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startNats } from '../../tools/services/nats.ts'
import type { Config } from '../platform/config/config.ts'
import type { Log } from '../platform/observability/log.ts'
import { openBus } from './bus.ts'

const nats = await startNats()
after(() => nats.stop())

async function warningsWith(natsUrl: string): Promise<string[]> {
  const warnings: string[] = []
  const log = { warn: (...args: unknown[]) => warnings.push(String(args.at(-1))) }
  // Safe because it reads nothing else of the two.
  const bus = await openBus({ natsUrl } as Config, log as unknown as Log)
  await bus.close()
  return warnings
}

test('openBus: warns when a server on another machine is used without a user', async () => {
  // This machine, but not by a loopback name.
  const [warning = '', ...more] = await warningsWith(`nats://0.0.0.0:${nats.port}`)
  assert.match(warning, /^NATS_URL has no user: /)
  assert.deepEqual(more, [])
})

test('openBus: no warning on loopback, nor with a user', async () => {
  assert.deepEqual(await warningsWith(nats.url), [])
  assert.deepEqual(await warningsWith(`nats://upvane:secret@0.0.0.0:${nats.port}`), [])
})
