// Schedulers without a configured region, and probes in a region unknown to them. Runs the commands of
// docs/operating/regions.md with its own values.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { type Stack, startStack } from '../../../tools/stack.ts'
import { Client } from '../../kit/client.ts'
import { openDatabase } from '../../kit/database.ts'
import { proveRegion } from '../../kit/prove-region.ts'
import { startWeb, type Web } from '../../kit/targets/web.ts'

const MAIN = join(import.meta.dirname, '../../../src/main.ts')
const PLENTY = 1_000_000
const SLOW = { delayMs: 300 }
const run = promisify(execFile)

let stack: Stack
let web: Web
let api: Client
let baseUrl: string

before(async () => {
  web = await startWeb()
  stack = await startStack({ rateLimit: PLENTY, env: { LOG_LEVEL: 'warn' } })
  const [first] = await Promise.all([
    stack.start('api'),
    stack.start('scheduler'),
    stack.start('scheduler'),
    stack.start('probe', { env: { REGION: 'eu' } }),
  ])
  baseUrl = first.baseUrl
  api = new Client({ baseUrl, key: stack.keys.full, rateLimit: PLENTY })
})

after(async () => {
  api?.close()
  await stack?.stop()
  await web?.close()
})

test('DEGRADED works where no scheduler names a region', async () => {
  const id = await createSlow()
  assert.equal((await checkTwice(id)).state, 'DEGRADED')
})

test('org set-region: an unknown region is refused with the known ones', async () => {
  const { code, stderr } = await upvane('org', 'set-region', stack.organizationId, 'mars')
  assert.equal(code, 2)
  assert.match(stderr, /must be one of: .*\beu\b/)
})

test('org set-region: the checks start there, response times start over, and the audit log says so', async () => {
  const id = await createSlow()
  await stack.start('probe', { env: { REGION: 'us' } })
  await settle()
  assert.equal((await checkTwice(id)).state, 'DEGRADED')
  const { code, stderr } = await upvane('org', 'set-region', stack.organizationId, 'us')
  assert.equal(code, 0, stderr)
  assert.equal((await check(id)).state, 'DEGRADED', 'the new home has not seen it work')
  await proveRegion({ baseUrl, key: stack.keys.full }, id, 'us')
  const first = await check(id)
  assert.equal(first.state, 'UP', 'one slow response from the new region is not two')
  assert.equal((await check(id)).state, 'DEGRADED')
  const database = openDatabase(stack.databaseUrl)
  try {
    const line = await database.one(
      `select actor_type, action, resource_id from audit_log where action = 'changeHomeRegion'`,
    )
    const expected = { actor_type: 'OPERATOR', action: 'changeHomeRegion', resource_id: 'us' }
    assert.deepEqual(line, expected)
    const regions = await database.run<{ name: string }>(
      `select distinct g.name from results r join regions g on g.no = r.region order by 1`,
    )
    assert.deepEqual(
      regions.map(({ name }) => name),
      ['eu', 'us'],
    )
  } finally {
    await database.close()
  }
})

async function createSlow(): Promise<string> {
  const { id } = await api.createMonitor({
    type: 'HTTP',
    url: web.page(SLOW).url,
    name: 'Slow',
    intervalSeconds: 86_400,
    degradedThresholdMs: 100,
    degradedSamples: 2,
  })
  return id
}

async function checkTwice(id: string) {
  await check(id)
  return check(id)
}

// A response measured while this machine stalled has no time; the next one counts.
async function check(id: string) {
  for (let tries = 0; tries < 5; tries++) {
    const answer = await api.post(`/monitors/${id}/check`, {})
    assert.equal(answer.status, 200, answer.text)
    if (answer.monitor.lastResponseMs !== null) return answer.monitor
  }
  return assert.fail('no response time in five checks')
}

// Probes announce themselves every two seconds.
const settle = () => new Promise((resolve) => setTimeout(resolve, 2500))

async function upvane(...args: string[]) {
  try {
    const { stderr } = await run(process.execPath, [MAIN, ...args], { env: stack.env })
    return { code: 0, stderr }
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string }
    return { code, stderr }
  }
}
