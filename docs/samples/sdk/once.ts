import { ConnectionError, Upvane } from '@upvane/sdk'

const upvane = new Upvane({
  baseUrl: process.env['UPVANE_URL'] ?? '',
  apiKey: process.env['UPVANE_API_KEY'] ?? '',
  timeoutMs: 10_000,
  maxRetries: 4,
  pace: true,
  onResponse: ({ operation, attempt, status, errorCode, requestId, durationMs }) =>
    console.log(operation, attempt, status ?? errorCode, requestId, durationMs),
})

// The same key makes the same monitor, in this call and in every other for 24 hours.
const idempotencyKey = `release-${process.env['RELEASE'] ?? '4711'}`
try {
  const call = upvane.monitors.create({ name: 'Queue', type: 'CRON' }, { idempotencyKey })
  const { data, replayed } = await call.withResponse()
  console.log(data.name, replayed ? 'was there' : 'is new')
} catch (error) {
  if (!(error instanceof ConnectionError)) throw error
  console.log(`Run this again: ${error.idempotencyKey} takes effect once.`)
}
