// The product as processes of single roles, and helpers to wait and verify.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { Environment, Service } from '../../../tools/stack.ts'
import type { Client } from '../../kit/client.ts'
import { type ProductFixture, startProduct } from '../../kit/fixture.ts'
import { nextLookMs } from '../../kit/pace.ts'
import type { Request } from '../../kit/targets/web.ts'
import type { DeliveryDetail } from '../../kit/webhook-shapes.ts'

const WAIT_MS = 60_000

// Short waits: the first is 0.2 s instead of 5 s, which makes the breaker's minute 2.4 s.
export const SCHEDULE_SECONDS = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]

type WebhookFixture = ProductFixture & {
  dispatcher: Service
  until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T>
  /** Waits for the end of a delivery and returns it in full. */
  ended(deliveryId: string, api?: Client): Promise<DeliveryDetail>
}

export async function startWebhookFixture(env: Environment = {}): Promise<WebhookFixture> {
  const schedule = { WEBHOOK_RETRY_SCHEDULE_SECONDS: SCHEDULE_SECONDS.join(',') }
  const fixture = await startProduct({ env: { ...schedule, ...env } })
  const dispatcher = await fixture.stack.start('dispatcher')
  return {
    ...fixture,
    dispatcher,
    until,
    ended: (deliveryId, api = fixture.api) =>
      until(`the end of ${deliveryId}`, async () => {
        const delivery = await api.getDelivery(deliveryId)
        return delivery.status !== 'PENDING' && delivery
      }),
  }
}

/** Also starts a scheduler and a probe. */
export async function startFullFixture(env: Environment = {}): Promise<WebhookFixture> {
  const fixture = await startWebhookFixture(env)
  await Promise.all([fixture.stack.start('scheduler'), fixture.stack.start('probe')])
  return fixture
}

export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  waitMs = WAIT_MS,
): Promise<T> {
  const startedMs = performance.now()
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    const waitedMs = performance.now() - startedMs
    assert.ok(waitedMs < waitMs, `waited in vain for ${what}`)
    await delay(nextLookMs(waitedMs))
  }
}

/** Verified by the independent library; throws if the signature is wrong. Returns the event. */
export function verify({ headers, body }: Request, secret: string) {
  return new Webhook(secret).verify(body, headers) as { id: string; type: string }
}
