import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type FakeUpvane, fakeUpvane } from '@upvane/sdk/testing'
import { openLease } from './window-lease.ts'

const SECONDS = 0.6
const INPUT = { name: 'Release', monitorIds: ['mon_1'], showOnStatusPages: true, seconds: SECONDS }
const clock = (): Date => new Date()

async function opened(fake: FakeUpvane) {
  const reports: string[] = []
  const upvane = fake.client({ maxRetries: 0 })
  const report = (text: string): void => void reports.push(text)
  return { lease: await openLease({ upvane, clock, input: INPUT, report }), reports }
}

const windowsOf = (fake: FakeUpvane) => fake.items('maintenanceWindows')
const updates = (fake: FakeUpvane): number =>
  fake.calls.filter(({ operation }) => operation === 'updateMaintenanceWindow').length

async function until(holds: () => boolean): Promise<void> {
  for (let waitedMs = 0; !holds(); waitedMs += 10) {
    assert.ok(waitedMs < 5000, 'waited in vain')
    await delay(10)
  }
}

test('the window ends soon by itself, is extended while it is held, and ended at the close', async () => {
  const fake = fakeUpvane()
  const before = Date.now()
  const { lease, reports } = await opened(fake)
  const [created] = windowsOf(fake)
  const firstEnd = Date.parse(created?.endsAt ?? '')
  assert.ok(firstEnd - before <= SECONDS * 1000 + 500, 'a killed process leaves it for this long')
  assert.ok(Date.parse(created?.startsAt ?? '') < before)
  await until(() => updates(fake) >= 3)
  assert.ok(Date.parse(windowsOf(fake)[0]?.endsAt ?? '') > firstEnd)
  await lease.close()
  const [ended, ...more] = windowsOf(fake)
  assert.equal(more.length, 0)
  assert.ok(Date.parse(ended?.endsAt ?? '') <= Date.now())
  const sent = updates(fake)
  await delay(SECONDS * 1000)
  assert.equal(updates(fake), sent, 'nothing is sent after the close')
  assert.deepEqual(reports, [])
})

test('an extension that fails is reported, and the next one succeeds', async () => {
  const fake = fakeUpvane()
  const { lease, reports } = await opened(fake)
  fake.failNext('connection')
  await until(() => updates(fake) >= 2)
  await lease.close()
  assert.equal(reports.length, 1)
  assert.match(reports[0] ?? '', /could not be extended: the service cannot be reached.*ends at/)
})

for (const failure of [
  { status: 409, code: 'conflict' },
  { status: 404, code: 'not_found' },
])
  test(`a window that ended meanwhile (${failure.code}) is replaced by a new one`, async () => {
    const fake = fakeUpvane()
    const { lease, reports } = await opened(fake)
    const first = lease.windowId()
    fake.failNext(failure)
    await until(() => windowsOf(fake).length === 2)
    await until(() => lease.windowId() !== first)
    await lease.close()
    assert.match(reports[0] ?? '', /had ended\. .* replaces it/)
    const replaced = windowsOf(fake).find(({ id }) => id === lease.windowId())
    assert.ok(Date.parse(replaced?.endsAt ?? '') <= Date.now())
  })

test('the close is repeated when the connection is lost, and a window that is gone is closed', async () => {
  const fake = fakeUpvane()
  const { lease } = await opened(fake)
  fake.failNext('connection', 'cut_off', 'connection')
  await lease.close()
  assert.ok(Date.parse(windowsOf(fake)[0]?.endsAt ?? '') <= Date.now())
  const other = await opened(fake)
  fake.failNext({ status: 404, code: 'not_found' })
  await other.lease.close()
})

test('a close that stays impossible says so', async () => {
  const fake = fakeUpvane()
  const { lease } = await opened(fake)
  fake.failNext(...Array.from({ length: 5 }, () => 'connection' as const))
  await assert.rejects(lease.close(), /no complete response/)
})
