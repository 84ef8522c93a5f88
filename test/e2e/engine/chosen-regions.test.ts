// Regions that were chosen for a monitor: it is checked there, and a region that never reached the target cannot report
// it down, as docs/operating/regions.md says. Targets are on loopback, which is private.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Service, type Stack, startStack } from '../../../tools/stack.ts'
import { startWeb, type Web } from '../../kit/targets/web.ts'
import { Engine } from './fixture.ts'

const EXT = '/api/ext/v1'
const NO_PRIVATE = { PROBE_ALLOW_CIDRS: '' }

let stack: Stack
let web: Web
let engine: Engine
let siteA: Service
let siteB: Service
before(async () => {
  web = await startWeb()
  stack = await startStack({ rateLimit: 1_000_000, env: { LOG_LEVEL: 'warn' } })
  const [api] = await Promise.all([stack.start('api'), stack.start('scheduler')])
  siteA = await probe('site-a')
  siteB = await probe('site-b')
  // Its guard forbids the targets of this test.
  await probe('site-c', NO_PRIVATE)
  engine = new Engine(stack, api)
})
after(async () => {
  await engine?.stop()
  await web?.close()
})

const probe = (region: string, env: Record<string, string> = {}): Promise<Service> =>
  stack.start('probe', { env: { REGION: region, ...env } })

async function choose(id: string, ...regions: string[]): Promise<void> {
  const answer = await engine.api.put(`${EXT}/monitors/${id}/regions`, { regions })
  assert.equal(answer.status, 200, answer.text)
}

/** Where the latest check ran. */
async function lastRegion(id: string): Promise<string | null> {
  const answer = await engine.api.get(`${EXT}/monitors/${id}/checks?limit=1`)
  const { data } = answer.json as { data: { region: string | null }[] }
  return data[0]?.region ?? null
}

test('a monitor is checked in the first of its regions, and in the next while that has no probe', async () => {
  const page = web.page({ status: 200 })
  const { id } = await engine.createChecked({ type: 'HTTP', url: page.url })
  await choose(id, 'site-b', 'site-a')
  assert.equal((await engine.check(id)).state, 'UP')
  assert.equal(await lastRegion(id), 'site-b')
  await choose(id, 'site-a', 'site-b')
  await engine.check(id)
  assert.equal(await lastRegion(id), 'site-a')

  await siteA.stop()
  await engine.until(id, () => true)
  const since = performance.now()
  while ((await lastRegion(id)) !== 'site-b') {
    assert.ok(performance.now() - since < 20_000, 'no check ran in the second region')
    await engine.checkRaw(id)
    await delay(500)
  }
  assert.deepEqual(await engine.incidentsOf(id), [])
  siteA = await probe('site-a')
})

test('a region that cannot reach the target is chosen: never DOWN by its word, and DOWN by the old one', async () => {
  const page = web.page({ status: 200 })
  const { id } = await engine.createChecked({ type: 'HTTP', url: page.url })
  await choose(id, 'site-a')
  await engine.check(id)
  await choose(id, 'site-c')
  // The region refuses the address, and the one that reached it before passes.
  assert.equal((await engine.check(id)).state, 'UP')
  assert.equal(await lastRegion(id), 'site-a')
  page.become({ status: 404 })
  assert.equal((await engine.check(id)).state, 'DOWN')
  page.become({ status: 200 })
  assert.equal((await engine.check(id)).state, 'UP')
})

test('a target that fails in a new region, and passes where it was: no incident', async () => {
  const page = web.page({ status: 200 })
  const { id } = await engine.createChecked({ type: 'HTTP', url: page.url })
  await choose(id, 'site-a')
  await engine.check(id)
  await siteB.stop()
  await choose(id, 'site-b')
  // No probe there, and nobody else was chosen: no verdict.
  const since = performance.now()
  for (let tries = 0; tries < 40; tries++) {
    const { status } = await engine.checkRaw(id)
    if (status === 500) break
    assert.ok(performance.now() - since < 20_000, 'a region without a probe gave verdicts')
    await delay(500)
  }
  assert.equal((await engine.api.getMonitor(id)).state, 'UP')
  siteB = await probe('site-b')
  await choose(id, 'site-b')
  assert.equal((await engine.check(id)).state, 'UP')
  assert.equal(await lastRegion(id), 'site-b')
})

test('the setting of a tag moves all its monitors, and removing it moves them back', async () => {
  const page = web.page({ status: 200 })
  const { id } = await engine.createChecked({ type: 'HTTP', url: page.url })
  const tagged = await engine.api.put(`${EXT}/monitors/${id}/tags/Sites`)
  const [tag] = (tagged.json as { tags: { id: string }[] }).tags
  const before = await lastRegion(id)
  const other = before === 'site-b' ? 'site-a' : 'site-b'
  const path = `${EXT}/tags/${tag?.id}/regions`
  assert.equal((await engine.api.put(path, { regions: [other] })).status, 200)
  await engine.check(id)
  assert.equal(await lastRegion(id), other)
  assert.equal((await engine.api.delete(path)).status, 200)
  assert.equal((await engine.check(id)).state, 'UP')
})
