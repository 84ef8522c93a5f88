// kill -9 of dispatchers while many subscribers are notified: everyone gets every notice, and a duplicate is the
// identical email.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startSubscriberFixture, subscribe, tokenOf, until } from './fixture.ts'

// More than one batch of notices.
const READERS = Number(process.env['MAIL_READERS'] ?? 550)
const KILLS = Number(process.env['MAIL_KILLS'] ?? 10)
const NEWS = 3
const AT_ONCE = 50
const LONGEST_LIFE_MS = 900
// An attempt whose process died is given up after 25 s, and then waits for its next retry.
const DRAIN_MS = 180_000

const fixture = await startSubscriberFixture({ sink: { delayMs: 2 } })
const { sink, db, api } = fixture
after(() => fixture.stop())

test(`${KILLS} kills while ${READERS} readers get ${NEWS} notices: none lost, none sent twice`, async (t) => {
  const page = await fixture.createPage()
  const addresses = Array.from({ length: READERS }, (_, i) => `reader-${i}@example.com`)
  await inBatches(addresses, async (email, i) => {
    // From as many addresses as there are subscribers.
    const headers = { 'X-Forwarded-For': `10.${i >> 8}.${i & 255}.1` }
    assert.equal((await subscribe(page, email, { headers })).status, 200)
  })
  await until('all confirmation mails', async () => sink.mails.length === READERS, DRAIN_MS)
  await inBatches(sink.mails, async (mail) => {
    const url = `${page.url}/confirm/${tokenOf(mail, 'confirm')}`
    assert.equal((await fetch(url, { method: 'POST' })).status, 200)
  })
  assert.equal(await db.count('page_subscribers', 'confirmed_at is not null', []), READERS)

  const confirmations = sink.mails.length
  let other = await fixture.stack.start('dispatcher', { env: fixture.env })
  let { dispatcher } = fixture
  const id = await fixture.publish(page, { message: 'News 1' })
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill % 4 === 3 && kill < 4 * (NEWS - 1))
      await publishMore(id, 1 + Math.ceil((kill + 1) / 4))
    await delay(Math.random() * LONGEST_LIFE_MS)
    await dispatcher.kill()
    ;[dispatcher, other] = [other, await fixture.stack.start('dispatcher', { env: fixture.env })]
  }
  await until('the end of all deliveries', allEnded, DRAIN_MS)

  const sent = sink.mails.slice(confirmations)
  const ofDelivery = Map.groupBy(sent, ({ headers }) => headers['message-id'] ?? '')
  for (const copies of ofDelivery.values())
    assert.equal(new Set(copies.map(({ raw, to }) => `${to}\n${raw}`)).size, 1, 'the same mail')
  const once = [...ofDelivery.values()].map(([first]) => first)
  const byReader = Map.groupBy(once, (mail) => mail?.to ?? '')
  assert.deepEqual([...byReader.keys()].toSorted(), addresses.toSorted(), 'nobody is forgotten')
  for (const [address, mails] of byReader)
    assert.deepEqual(
      mails.map((mail) => /News \d/.exec(mail?.text ?? '')?.[0]).toSorted(),
      ['News 1', 'News 2', 'News 3'],
      address,
    )
  await assertVisible()
  const lost = await db.count('attempts', `error_code = 'WORKER_LOST'`, [])
  t.diagnostic(`${sent.length} emails for ${ofDelivery.size} deliveries, ${lost} attempts lost`)
  assert.ok(lost > 0, 'no kill hit an attempt: nothing was tried')
})

async function publishMore(id: string, number: number): Promise<void> {
  const update = { message: `News ${number}`, status: 'MONITORING' }
  await api.post(`/status-incidents/${id}/updates`, update)
}

const allEnded = async () =>
  (await db.count('subscriber_notices', 'completed_at is null', [])) === 0 &&
  (await db.count('deliveries', `status = 'PENDING'`, [])) === 0

/** Each notice has one delivery for each subscriber, all succeeded, with every attempt recorded. */
async function assertVisible(): Promise<void> {
  const notices = await db.run<{ told: number }>('select told from subscriber_notices')
  assert.deepEqual(
    notices.map(({ told }) => told),
    Array(NEWS).fill(READERS),
  )
  const mails = `channel = 'EMAIL'`
  assert.equal(await db.count('deliveries', mails, []), READERS * (NEWS + 1))
  assert.equal(await db.count('deliveries', `${mails} and status <> 'SUCCEEDED'`, []), 0)
  assert.equal(await db.count('attempts', 'outcome is null', []), 0)
  assert.ok((await db.count('attempts', 'true', [])) >= sink.mails.length)
}

async function inBatches<T>(
  all: readonly T[],
  work: (one: T, index: number) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE)
    await Promise.all(all.slice(from, from + AT_ONCE).map((one, i) => work(one, from + i)))
}
