// A receiver of any kind: method, headers and body as the organization wrote them, with the alert filled in.
import { fillTemplate, type TemplateFormat, templateValues } from '../../domain/alerts/template.ts'
import { fillHeaders } from '../../domain/alerts/template-headers.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { type AlertChannel, judgeByStatus } from './alert-channel.ts'

const TYPES: Record<TemplateFormat, string> = {
  JSON: 'application/json',
  FORM: 'application/x-www-form-urlencoded',
  TEXT: 'text/plain; charset=utf-8',
}

export const customWebhook: AlertChannel<'CUSTOM_WEBHOOK'> = {
  request(alert, settings, _origins, { deliveryId }) {
    const { url, headers, body } = settings
    const method = settings.method ?? 'POST'
    const format = settings.format ?? 'JSON'
    // The id is the same for every attempt, so that receivers can detect duplicates.
    const values = templateValues(alert, toPublicId('whd', deliveryId))
    const type = method === 'GET' ? {} : { 'content-type': TYPES[format] }
    return {
      method,
      url,
      headers: { ...type, ...fillHeaders(headers ?? '', values) },
      body: method === 'GET' ? '' : fillTemplate(body, format, values),
    }
  },
  // Custom receivers follow no convention for statuses: only GONE is final, everything else is retried.
  judge(posted) {
    const judged = judgeByStatus(posted)
    return judged.verdict === 'OVER' ? { ...judged, verdict: 'RETRY' } : judged
  },
}
