// PagerDuty, through its Events API v2: an outage triggers an incident, and the recovery resolves it.
import {
  type Alert,
  closes,
  headline,
  opens,
  severityOf,
  truncate,
} from '../../domain/alerts/alert.ts'
import { type AlertChannel, JSON_HEADERS, judgeByStatus } from './alert-channel.ts'

const SEVERITIES = { CRITICAL: 'critical', WARNING: 'warning', INFO: 'info' } as const

export const pagerDuty: AlertChannel<'PAGERDUTY'> = {
  request(alert, { routingKey }, origins) {
    const { links, organization } = alert
    const body = {
      routing_key: routingKey,
      event_action: closes(alert) ? 'resolve' : 'trigger',
      dedup_key: truncate(keyOf(alert), 255),
      client: 'Upvane',
      client_url: links.open,
      links: [{ href: links.open, text: 'Open in Upvane' }],
      payload: {
        summary: `${headline(alert)}: ${alert.summary}`,
        source: organization,
        severity: SEVERITIES[severityOf(alert)],
        timestamp: alert.at,
        custom_details: Object.fromEntries(alert.facts.map(({ label, value }) => [label, value])),
      },
    }
    const url = `${origins.PAGERDUTY}/v2/enqueue`
    return { url, headers: JSON_HEADERS, body: JSON.stringify(body) }
  },
  judge: judgeByStatus,
}

/** An alert that is never resolved must not deduplicate the next one of its kind. */
const keyOf = (alert: Alert): string =>
  opens(alert) || closes(alert) ? alert.thread : `${alert.thread}/${alert.at}`
