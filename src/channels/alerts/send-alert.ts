// Sends one alert to a provider and interprets its response.
import type { Origins } from '../../domain/alerts/channels.ts'
import type { ContactSettings } from '../../domain/alerts/contact.ts'
import type { SendResult } from '../../domain/events/delivery-outcome.ts'
import { OutboundError } from '../../outbound/outbound-error.ts'
import type { WebhookClient } from '../../outbound/webhook-client.ts'
import { toFailed } from '../webhook.ts'
import type { HttpChannel, OutgoingAlert } from './alert-channel.ts'
import { PROVIDERS, toRequest } from './registry.ts'

const MAX_SHOWN = 2_000

/** Throws only on faults of our own. The result has no URL, because for most providers it is the secret. */
export async function sendAlert(
  client: WebhookClient,
  origins: Origins,
  outgoing: OutgoingAlert<HttpChannel>,
  deadlineMs: number,
): Promise<SendResult> {
  const startMs = performance.now()
  const { contactId, channel, settings } = outgoing
  const request = toRequest(outgoing, origins)
  try {
    const posted = await client.post({ endpointId: contactId, ...request, deadlineMs })
    const { verdict, error, retryAfter } = PROVIDERS[channel].judge(posted)
    const succeeded = verdict === 'OK'
    const hide = hider(settings)
    return {
      outcome: succeeded ? 'SUCCEEDED' : 'FAILED',
      durationMs: performance.now() - startMs,
      url: null,
      responseStatus: posted.status,
      responseBody: hide(posted.body.toString('utf8').replaceAll('\0', '\uFFFD')).slice(
        0,
        MAX_SHOWN,
      ),
      retryAfter,
      errorCode: succeeded ? null : 'BAD_STATUS',
      error: error === null ? null : hide(error),
      isReceiverFault: !succeeded,
      next: verdict === 'OK' ? 'RETRY' : verdict,
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { ...toFailed(error, deadlineMs), url: null, durationMs: performance.now() - startMs }
  }
}

const SHORTEST_SECRET = 6

/** The attempt log is not encrypted, and a provider may echo the settings. */
export function hider(settings: ContactSettings): (text: string) => string {
  const values = Object.values(settings).filter(({ length }) => length >= SHORTEST_SECRET)
  return (text) => values.reduce((shown, value) => shown.replaceAll(value, '…'), text)
}
