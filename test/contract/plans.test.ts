// What a plan allows and what requires a subscription.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { breakMonitor } from '../kit/seed.ts'

const fixture = await startProduct()
const { api, db, keys } = fixture
after(() => fixture.stop())

const cron = { name: 'x', type: 'CRON' }

describe('plan: how many monitors', { concurrency: 2 }, () => {
  test('createMonitor 422: the free plan holds 20 monitors, in every state; one that goes makes room', async () => {
    const free = api.as(keys.freePlan)
    const made: string[] = []
    for (let i = 0; i < 20; i++) made.push((await free.createMonitor()).id)
    await free.post(`/monitors/${made[0]}/pause`, {})
    const refused = await free.post('/monitors', cron)
    assert.equal(refused.code, 'plan_limit')
    assert.equal((await free.get('/monitors')).monitors.pagination.total, 20)
    await free.delete(`/monitors/${made[1]}`)
    await free.createMonitor()
    assert.equal((await free.post('/monitors', cron)).code, 'plan_limit')
    assert.equal((await free.patch(`/monitors/${made[2]}`, { name: 'y' })).status, 200)
  })

  test('createMonitor 422: 40 at once on the free plan make 20', async () => {
    const { api: free, uuid } = await fixture.createOrganization('FREE')
    const all = await Promise.all(Array.from({ length: 40 }, () => free.post('/monitors', cron)))
    const statuses = all.map((answer) => answer.status)
    assert.equal(statuses.filter((status) => status === 201).length, 20)
    assert.equal(statuses.filter((status) => status === 422).length, 20)
    assert.equal(await db.count('monitors', 'org_id = $1', [uuid]), 20)
    assert.equal(await db.count('events', 'org_id = $1', [uuid]), 20)
  })

  test('createMonitor: limits can be set for one organization', async () => {
    const { api: owner, uuid } = await fixture.createOrganization('FREE')
    await db.run('update organizations set limit_overrides = $2 where id = $1', [
      uuid,
      { monitors: 1, fastestIntervalSeconds: 60 },
    ])
    await owner.createMonitor({ intervalSeconds: 60 })
    assert.equal((await owner.post('/monitors', cron)).code, 'plan_limit')
  })
})

// Organizations are costly to create: the rows below share one, one after the other.
const shared = await fixture.createOrganization()
const setPlan = (uuid: string, plan: string) =>
  db.run('update organizations set plan = $2 where id = $1', [uuid, plan])
const setSubscription = (status: string, daysPastDue: number | null = null) =>
  db.run(
    `update subscriptions set status = $2, past_due_since = now() - make_interval(secs => $3)
      where org_id = $1`,
    [shared.uuid, status, daysPastDue === null ? null : daysPastDue * 86_400],
  )

describe('plan: how often', () => {
  const rows: [plan: string, fastest: number][] = [
    ['FREE', 300],
    ['STARTER', 60],
    ['PRO', 30],
    ['UNLIMITED', 30],
  ]
  for (const [plan, fastest] of rows)
    test(`createMonitor: the fastest interval of ${plan} is ${fastest} s`, async () => {
      const { api: owner, uuid } = shared
      await setPlan(uuid, plan)
      assert.equal(
        (await owner.createMonitor({ intervalSeconds: fastest })).intervalSeconds,
        fastest,
      )
      const faster = { ...cron, intervalSeconds: fastest - 1 }
      const code = fastest === 30 ? 'validation_error' : 'plan_limit'
      assert.equal((await owner.post('/monitors', faster)).code, code)
    })

  test('updateMonitor 422: only an interval made smaller is held against the plan', async () => {
    const { api: owner, uuid } = shared
    await setPlan(uuid, 'PRO')
    const { id } = await owner.createMonitor({ intervalSeconds: 60 })
    await setPlan(uuid, 'FREE')
    const patch = (body: unknown) => owner.patch(`/monitors/${id}`, body)

    assert.equal((await patch({ name: 'Renamed', intervalSeconds: 60 })).status, 200)
    assert.equal((await patch({ intervalSeconds: 59 })).code, 'plan_limit')
    assert.equal((await patch({ name: 'Lost', intervalSeconds: 30 })).code, 'plan_limit')
    assert.equal((await patch({ intervalSeconds: 90 })).status, 200)
    assert.equal((await patch({ intervalSeconds: 60 })).code, 'plan_limit')
    assert.equal((await patch({ intervalSeconds: 600 })).status, 200)
    assert.equal((await patch({ intervalSeconds: 299 })).code, 'plan_limit')
    assert.equal((await patch({ intervalSeconds: 300 })).status, 200)
    assert.equal((await owner.getMonitor(id)).name, 'Renamed')
    const updates = (await db.eventsOf(id)).filter((event) => event.type === 'monitor.updated')
    assert.equal(updates.length, 4)
  })
})

describe('subscription', () => {
  const rows: [status: string, daysPastDue: number | null, active: boolean][] = [
    ['TRIALING', null, true],
    ['ACTIVE', null, true],
    ['PAST_DUE', 0, true],
    ['PAST_DUE', 13.9, true],
    ['PAST_DUE', 14.1, false],
    ['CANCELED', null, false],
    ['NONE', null, false],
  ]
  for (const [status, days, active] of rows)
    test(`${status}${days === null ? '' : ` for ${days} days`}: writes are ${active ? 'served' : '422'}, GET and DELETE work`, async () => {
      const { id: org, api: owner } = shared
      await setSubscription('ACTIVE')
      const { id } = await owner.createMonitor()
      const incident = await breakMonitor(db, org, id)
      await setSubscription(status, days)
      const writes: [method: string, path: string, body?: unknown][] = [
        ['POST', '/monitors', cron],
        ['PATCH', `/monitors/${id}`, {}],
        ['POST', `/incidents/${incident}/acknowledge`],
        ['POST', `/monitors/${id}/pause`, {}],
        ['POST', `/monitors/${id}/resume`, {}],
      ]
      for (const [method, path, body] of writes) {
        const answer = await owner.request(method, path, { body })
        if (active) assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
        else assert.equal(answer.code, 'subscription_required', `${method} ${path}`)
      }
      assert.equal((await owner.get('/monitors')).status, 200)
      assert.equal((await owner.request('HEAD', '/monitors')).status, 200)
      assert.equal((await owner.get(`/monitors/${id}`)).status, 200)
      assert.equal((await owner.get(`/incidents/${incident}`)).status, 200)
      assert.equal((await owner.delete(`/monitors/${id}`)).status, 200)
    })

  test('createMonitor 422: the organization without a subscription stores nothing', async () => {
    const lapsed = api.as(keys.noSubscription)
    assert.equal((await lapsed.post('/monitors', cron)).code, 'subscription_required')
    assert.equal((await lapsed.get('/monitors')).monitors.pagination.total, 0)
    assert.equal((await lapsed.delete('/monitors/mon_unknown')).code, 'not_found')
  })
})
