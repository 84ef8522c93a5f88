// PagerDuty, through its Events API v2: an outage triggers an incident, and the recovery resolves it.
import { closes, headline, severityOf, truncate } from '../../domain/alerts/alert.ts'
import { type AlertChannel, alarmKeyOf, JSON_HEADERS, judgeByStatus } from './alert-channel.ts'

const SEVERITIES = { CRITICAL: 'critical', WARNING: 'warning', INFO: 'info' } as const

export const pagerDuty: AlertChannel<'PAGERDUTY'> = {
  request(alert, { routingKey }, origins) {
    const { links, organization } = alert
    const body = {
      routing_key: routingKey,
      event_action: closes(alert) ? 'resolve' : 'trigger',
      dedup_key: truncate(alarmKeyOf(alert), 255),
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
