// Sends one alert to a provider and interprets its response.
import type { Alert } from '../../domain/alerts/alert.ts'
import type { Origins } from '../../domain/alerts/channels.ts'
import type { ContactSettings } from '../../domain/alerts/contact.ts'
import { headerSecrets } from '../../domain/alerts/template-headers.ts'
import type { SendResult } from '../../domain/events/delivery-outcome.ts'
import { PATHS } from '../../domain/values/dashboard-paths.ts'
import { OutboundError } from '../../outbound/outbound-error.ts'
import type { Posted, WebhookClient } from '../../outbound/webhook-client.ts'
import { toFailed } from '../webhook.ts'
import type { AlertRequest, HttpChannel, OutgoingAlert } from './alert-channel.ts'
import { PROVIDERS, toFollowUp, toRequest } from './registry.ts'

const MAX_SHOWN = 2_000

/** `reference` is what the provider calls the message, for those that follow. */
type AlertResult = SendResult & { reference: string | null }

/** Throws only on faults of our own. The result has no URL, because for most providers it is the secret. */
export async function sendAlert(
  client: WebhookClient,
  origins: Origins,
  outgoing: OutgoingAlert<HttpChannel>,
  deadlineMs: number,
): Promise<AlertResult> {
  const startMs = performance.now()
  const { contactId, channel } = outgoing
  const { judge, referenceIn } = PROVIDERS[channel]
  const post = (request: AlertRequest) => {
    const leftMs = deadlineMs - passedSince(startMs)
    return client.post({ endpointId: contactId, ...request, deadlineMs: leftMs })
  }
  try {
    const first = await post(toRequest(outgoing, origins))
    const isAccepted = judge(first).verdict === 'OK'
    const next = isAccepted ? toFollowUp(outgoing, origins) : undefined
    const last = next === undefined ? first : await post(next)
    const result = toResult(outgoing, last, passedSince(startMs))
    return { ...result, reference: (isAccepted && referenceIn?.(first)) || null }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const failed = toFailed(error, deadlineMs)
    return { ...failed, url: null, durationMs: passedSince(startMs), reference: null }
  }
}

const passedSince = (startMs: number): number => performance.now() - startMs

function toResult(
  { channel, settings, alert }: OutgoingAlert<HttpChannel>,
  posted: Posted,
  durationMs: number,
): SendResult {
  const { verdict, error, retryAfter } = PROVIDERS[channel].judge(posted)
  const succeeded = verdict === 'OK'
  const hide = hider(settings, linkTokens(alert))
  const shown = hide(posted.body.toString('utf8').replaceAll('\0', '\uFFFD'))
  return {
    outcome: succeeded ? 'SUCCEEDED' : 'FAILED',
    durationMs,
    url: null,
    responseStatus: posted.status,
    responseBody: shown.slice(0, MAX_SHOWN),
    retryAfter,
    errorCode: succeeded ? null : 'BAD_STATUS',
    error: error === null ? null : hide(error),
    isReceiverFault: !succeeded,
    next: verdict === 'OK' ? 'RETRY' : verdict,
  }
}

const SHORTEST_SECRET = 6

/** What acknowledges without signing in. Telegram echoes the whole message with its buttons. */
const linkTokens = ({ links }: Alert): string[] =>
  links.acknowledge?.split(`${PATHS.acknowledge}#`).slice(1) ?? []

/** The attempt log is not encrypted, and a provider may echo what it got. */
export function hider(
  settings: ContactSettings,
  more: readonly string[] = [],
): (text: string) => string {
  const { headers = '', urls = '' } = settings
  const parts = [...headerSecrets(headers), ...urls.split(','), ...more]
  const values = [...Object.values(settings), ...parts].filter(
    ({ length }) => length >= SHORTEST_SECRET,
  )
  return (text) => values.reduce((shown, value) => shown.replaceAll(value, '…'), text)
}
