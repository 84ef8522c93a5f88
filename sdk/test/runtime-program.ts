// The same program for every runtime: what the client needs of it, in one go. Returns what it saw, for comparison.
import { isApiError, Upvane } from '../src/index.ts'
import { signWebhook, verifyWebhook } from '../src/webhooks.ts'

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='

/** The server holds 230 monitors, and loses the answer to the first request. */
export async function runProgram(baseUrl: string, apiKey: string): Promise<string[]> {
  const seen: string[] = []
  const upvane = new Upvane({ baseUrl, apiKey, pace: true })
  const call = upvane.monitors.create({ name: 'Shop', type: 'CRON' })
  const { data, replayed, attempts, rateLimit } = await call.withResponse()
  seen.push(`${data.name} ${replayed} ${attempts} ${rateLimit?.limit}`)
  let count = 0
  for await (const _ of upvane.monitors.list()) count++
  seen.push(`${count} monitors`)
  await upvane.monitors.get('mon_x').catch((error: unknown) => {
    seen.push(isApiError(error) ? `${error.code} ${error.status}` : String(error))
  })
  const signal = AbortSignal.abort(new Error('Enough.'))
  await upvane.monitors.get('mon_x', { signal }).catch((error: unknown) => seen.push(String(error)))
  seen.push(await verified())
  return seen
}

async function verified(): Promise<string> {
  const event = { id: 'evt_1', type: 'webhook.test', timestamp: '', organizationId: 'org_1' }
  const body = JSON.stringify({ ...event, data: { message: 'Hello', endpointId: 'whe_1' } })
  const headers = await signWebhook({ secret: SECRET, id: event.id, body })
  const { type } = await verifyWebhook({ secret: SECRET, headers, body })
  return type
}
