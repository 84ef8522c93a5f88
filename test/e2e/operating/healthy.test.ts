// A healthy service with default settings: nothing is reported while it starts, while each role restarts, and while one
// drains.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startWatched, type Watched } from './watched-service.ts'

const ROLES = ['api', 'scheduler', 'dispatcher', 'janitor', 'probe']
// By then even a finding of the last moment would be reported by every process.
const UNTIL_KNOWN_MS = 32_000

let watched: Watched

before(async () => {
  watched = await startWatched({ withDefaults: true })
  for (const role of ROLES) await watched.start(role)
  const { url } = watched.page
  await watched.api.createMonitor({ type: 'HTTP', name: 'Page', url, intervalSeconds: 30 })
})
after(() => watched.stop())

test('no problem while it starts, restarts and drains', async () => {
  for (const role of ROLES) {
    await watched.service(role).stop()
    await watched.start(role, { SHUTDOWN_DRAIN_SECONDS: '5' })
  }
  const drained = watched.service('api').stop()
  await watched.start('api')
  await drained
  await delay(UNTIL_KNOWN_MS)
  for (const role of ROLES)
    assert.deepEqual(await watched.conditionsOf(watched.service(role)), {
      status: 200,
      conditions: [],
    })
  assert.deepEqual(watched.subjects(), [])
  assert.deepEqual(watched.failures, [])
  const logs = globSync(join(watched.stack.directory, '*.log')).map((file) =>
    readFileSync(file, 'utf8'),
  )
  assert.ok(logs.length > ROLES.length)
  assert.doesNotMatch(logs.join('\n'), /"msg":"condition"/)
})
