// Several dispatchers on one database: each delivery is claimed by one of them, and limits apply across all of them.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { toUuid } from '../../kit/ids.ts'
import { type Door, startCountingReceiver } from './counting-receiver.ts'
import { startWebhookFixture, until } from './fixture.ts'
import { mostOpen, queueEvents } from './queue.ts'

const ENDPOINTS = 12
const DUE_OF_EACH = Number(process.env['WEBHOOK_DUE_OF_EACH'] ?? 50)
const RESPONSE_MS = 25
const MAX_PER_ENDPOINT = 4
const MAX_PER_ORGANIZATION = 32

const receiver = await startCountingReceiver()
const fixture = await startWebhookFixture()
const { db } = fixture
after(async () => {
  await fixture.stop()
  await receiver.close()
})

type Crowd = { doors: Door[]; orgUuid: string }

/** An organization with more due deliveries than it may send at once. */
async function crowd(): Promise<Crowd> {
  const { api, uuid: orgUuid } = await fixture.createOrganization()
  const doors = Array.from({ length: ENDPOINTS }, () => receiver.door({ delayMs: RESPONSE_MS }))
  // Nothing starts before everything is queued.
  const ids: string[] = []
  for (const { url } of doors)
    ids.push((await api.createEndpoint({ url, enabled: false, eventTypes: ['webhook.test'] })).id)
  for (const id of ids) await queueEvents(db, orgUuid, toUuid(id), DUE_OF_EACH)
  for (const id of ids) await api.patch(`/webhook-endpoints/${id}`, { enabled: true })
  return { doors, orgUuid }
}

async function sentBy(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/upvane_delivery_attempts_total{[^}]*SUCCEEDED[^}]*} (\d+)/.exec(text)?.[1] ?? 0)
}

describe('several dispatchers', { concurrency: 2 }, () => {
  test('deliveries that no dispatcher may claim are a condition until one may', async () => {
    const ready = () => fetch(`${fixture.dispatcher.internalUrl}/readyz`)
    const isLate = async () => {
      const { conditions } = (await (await ready()).json()) as { conditions: { code: string }[] }
      return conditions.some(({ code }) => code === 'DELIVERIES_LATE')
    }
    const { api, uuid } = await fixture.createOrganization()
    const door = receiver.door()
    const { id } = await api.createEndpoint({ url: door.url, eventTypes: ['webhook.test'] })
    await queueEvents(db, uuid, toUuid(id), 1)
    // Recorded, not only received: a delivery in flight does not count as late.
    await until('it to be sent', async () => {
      const where = `org_id = $1 and status = 'SUCCEEDED'`
      return (await db.count('deliveries', where, [uuid])) === 1
    })
    const hold = 'select from webhook_endpoints where id = $1 for update'
    await db.holding(hold, [toUuid(id)], async () => {
      await queueEvents(db, uuid, toUuid(id), 1)
      await until('the condition', async () => (await isLate()) === true, 120_000)
      assert.equal((await ready()).status, 200, 'it still serves')
      assert.equal(door.requests, 1)
    })
    await until('it to be sent', async () => door.requests === 2)
    await until('no such condition', async () => (await isLate()) === false)
  })

  describe('side by side', { concurrency: 1 }, () => {
    const urls = [fixture.dispatcher.internalUrl]
    for (const processes of [2, 3])
      test(`${processes} processes: each delivery once, 4 of an endpoint and 32 of an organization`, async (t) => {
        urls.push((await fixture.stack.start('dispatcher')).internalUrl)
        const before = await Promise.all(urls.map(sentBy))
        const startMs = performance.now()
        const crowds = [await crowd(), await crowd()]
        for (const { orgUuid } of crowds)
          await until('the end of all', async () => {
            const where = `org_id = $1 and status = 'PENDING'`
            return (await db.count('deliveries', where, [orgUuid])) === 0
          })
        const after = await Promise.all(urls.map(sentBy))
        const shares = after.map((sent, i) => sent - (before[i] ?? 0))
        const open = await mostOpen(db)
        const rate = (2 * ENDPOINTS * DUE_OF_EACH) / ((performance.now() - startMs) / 1000)
        t.diagnostic(
          `sent by each ${shares}; most open ${JSON.stringify(open)}; ${rate.toFixed(0)} a second, setup included`,
        )

        assert.ok(
          shares.every((sent) => sent > 0),
          `all of them work: ${shares}`,
        )
        for (const { doors, orgUuid } of crowds) {
          for (const door of doors) {
            assert.equal(door.requests, DUE_OF_EACH)
            assert.equal(door.receivedMs.size, DUE_OF_EACH)
            assert.ok(door.mostOpen <= MAX_PER_ENDPOINT, `${door.mostOpen}`)
          }
          const where = `org_id = $1 and status = 'SUCCEEDED' and attempt_count = 1`
          assert.equal(await db.count('deliveries', where, [orgUuid]), ENDPOINTS * DUE_OF_EACH)
          assert.equal(
            await db.count('attempts', 'org_id = $1', [orgUuid]),
            ENDPOINTS * DUE_OF_EACH,
          )
        }
        assert.deepEqual(receiver.twiceAtOnce, [])
        assert.ok(open.endpoint <= MAX_PER_ENDPOINT, JSON.stringify(open))
        assert.ok(open.organization <= MAX_PER_ORGANIZATION, JSON.stringify(open))
        assert.ok(open.organization > MAX_PER_ORGANIZATION / 2, 'its limit was not tried')
      })
  })
})
