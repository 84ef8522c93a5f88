import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Upvane } from '@upvane/sdk'
import { fakeUpvane } from '@upvane/sdk/testing'

/** The program under test: pauses what matches, and says how many. */
async function pauseAll(upvane: Upvane, q: string): Promise<number> {
  const found = await upvane.monitors.list({ q }).all()
  for (const { id } of found) await upvane.monitors.pause(id)
  return found.length
}

test('pauses what matches, also when an answer is lost', async () => {
  const fake = fakeUpvane()
  fake.add('monitors', { name: 'Shop EU', state: 'UP' })
  fake.add('monitors', { name: 'Blog', state: 'UP' })
  fake.failNext('connection')
  assert.equal(await pauseAll(fake.client(), 'shop'), 1)
  assert.deepEqual(
    fake.items('monitors').map(({ name, state }) => `${name} ${state}`),
    ['Blog UP', 'Shop EU PAUSED'],
  )
  assert.equal(fake.calls.at(-1)?.operation, 'pauseMonitor')
})
