// `pace`: a client alone with its key never gets a 429.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Handle, send, sendError, startServer } from './server.ts'

/** Fixed windows that start with a request, like the API's, only shorter. */
function limitedTo(limit: number, windowSeconds: number): { handle: Handle; counts: number[] } {
  const counts: number[] = []
  let used = 0
  let endsAt = 0
  const handle: Handle = (_, response) => {
    if (Date.now() >= endsAt) {
      used = 0
      endsAt = Date.now() + windowSeconds * 1000
      counts.push(0)
    }
    used++
    counts[counts.length - 1] = used
    const reset = String(Math.max(1, Math.ceil((endsAt - Date.now()) / 1000)))
    const headers = {
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(Math.max(0, limit - used)),
      'RateLimit-Reset': reset,
    }
    if (used > limit)
      return sendError(response, 429, 'rate_limited', { ...headers, 'Retry-After': reset })
    send(response, { body: { id: 'mon_1' }, headers })
  }
  return { handle, counts }
}

test('25 calls at once with a limit of 10: three windows, none over it', async (t) => {
  // Longer than a busy machine may hold up one of the requests.
  const { handle, counts } = limitedTo(10, 2)
  const { client, exchanges } = await startServer(t, handle)
  const upvane = client({ pace: true, maxRetries: 0 })
  await Promise.all(Array.from({ length: 25 }, () => upvane.monitors.get('mon_1')))
  assert.equal(exchanges.length, 25)
  assert.ok(
    counts.every((count) => count <= 10),
    String(counts),
  )
})

test('without pace the same calls run into 429, and Retry-After brings them through', async (t) => {
  const { handle } = limitedTo(10, 1)
  const { client, exchanges } = await startServer(t, handle)
  const upvane = client({ maxRetries: 5 })
  await Promise.all(Array.from({ length: 15 }, () => upvane.monitors.get('mon_1')))
  assert.ok(exchanges.length > 15)
})

test('a call that waits for its turn can be aborted, and the others continue', async (t) => {
  const { handle } = limitedTo(1, 1)
  const { client, exchanges } = await startServer(t, handle)
  const upvane = client({ pace: true, maxRetries: 0 })
  await upvane.monitors.get('mon_1')
  const controller = new AbortController()
  const waiting = upvane.monitors.get('mon_1')
  const behind = upvane.monitors.get('mon_1', { signal: controller.signal })
  controller.abort(new Error('Enough.'))
  const startedAt = performance.now()
  await assert.rejects(behind, { message: 'Enough.' })
  assert.ok(performance.now() - startedAt < 500)
  await waiting
  await upvane.monitors.get('mon_1')
  assert.equal(exchanges.length, 3)
})

test('a request that fails does not hold up the next ones', async (t) => {
  const { client } = await startServer(t, ({ number }, response) => {
    if (number === 1) response.destroy()
    else send(response, { body: { id: 'mon_1' } })
  })
  const upvane = client({ pace: true, maxRetries: 0 })
  const calls = [1, 2, 3].map(() => upvane.monitors.get('mon_1'))
  const ends = await Promise.allSettled(calls)
  assert.deepEqual(
    ends.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  )
})
