// Anybody's own receiver: the alert as JSON.
import { headline, severityOf } from '../../domain/alert.ts'
import { type AlertChannel, JSON_HEADERS, judgeByStatus } from './alert-channel.ts'

export type WebhookSettings = { url: string }

export const webhook: AlertChannel<WebhookSettings> = {
  request(alert, { url }) {
    const body = { ...alert, headline: headline(alert), severity: severityOf(alert) }
    return { url, headers: JSON_HEADERS, body: JSON.stringify(body) }
  },
  judge: judgeByStatus,
}
