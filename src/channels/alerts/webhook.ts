// Anybody's own receiver: the alert as JSON, signed as events are.
import { headline, severityOf } from '../../domain/alerts/alert.ts'
import { signedHeaders } from '../../domain/events/signature.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { type AlertChannel, JSON_HEADERS, judgeByStatus } from './alert-channel.ts'

/** `secret`: null for one that was made before they were signed. */
type WebhookSettings = { url: string; secret: string | null }

export const webhook: AlertChannel<WebhookSettings> = {
  request(alert, { url, secret }, _origins, { deliveryId, sentAt }) {
    const body = JSON.stringify({
      ...alert,
      headline: headline(alert),
      severity: severityOf(alert),
    })
    // The same with every attempt: whoever gets it twice sees that it is one.
    const message = { id: toPublicId('whd', deliveryId), sentAt, body }
    const signed = secret === null ? {} : signedHeaders(message, [{ secret, rotatedAt: null }])
    return { url, headers: { ...JSON_HEADERS, ...signed }, body }
  },
  // Who answers what is nobody's rule here: only one that says so is gone, all others are tried again.
  judge(posted) {
    const judged = judgeByStatus(posted)
    return judged.verdict === 'OVER' ? { ...judged, verdict: 'RETRY' } : judged
  },
}
