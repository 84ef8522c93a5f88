// A custom receiver: the alert as JSON, signed like events.
import { headline, severityOf } from '../../domain/alerts/alert.ts'
import { signedHeaders } from '../../domain/events/signature.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { type AlertChannel, JSON_HEADERS, judgeByStatus } from './alert-channel.ts'

export const webhook: AlertChannel<'WEBHOOK'> = {
  request(alert, { url, secret }, _origins, { deliveryId, sentAt }) {
    const body = JSON.stringify({
      ...alert,
      headline: headline(alert),
      severity: severityOf(alert),
    })
    // The id is the same for every attempt, so that receivers can detect duplicates.
    const message = { id: toPublicId('whd', deliveryId), sentAt, body }
    // Null for contacts created before alerts were signed.
    const signed = secret === null ? {} : signedHeaders(message, [{ secret, rotatedAt: null }])
    return { url, headers: { ...JSON_HEADERS, ...signed }, body }
  },
  // Custom receivers follow no convention for statuses: only GONE is final, everything else is retried.
  judge(posted) {
    const judged = judgeByStatus(posted)
    return judged.verdict === 'OVER' ? { ...judged, verdict: 'RETRY' } : judged
  },
}
