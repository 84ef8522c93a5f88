// incident.io, through an HTTP alert source: an outage fires an alert, and the recovery resolves it.
import { alertText, closes, headline, severityOf } from '../../domain/alerts/alert.ts'
import {
  type AlertChannel,
  alarmKeyOf,
  bearer,
  JSON_HEADERS,
  judgeByStatus,
} from './alert-channel.ts'

export const incidentIo: AlertChannel<'INCIDENT_IO'> = {
  request(alert, { sourceId, token }, origins) {
    const { facts, organization, links } = alert
    const body = {
      title: headline(alert),
      description: alertText(alert),
      status: closes(alert) ? 'resolved' : 'firing',
      deduplication_key: alarmKeyOf(alert),
      source_url: links.open,
      metadata: {
        organization,
        severity: severityOf(alert).toLowerCase(),
        facts: Object.fromEntries(facts.map(({ label, value }) => [label, value])),
      },
    }
    return {
      url: `${origins.INCIDENT_IO}/v2/alert_events/http/${sourceId}`,
      headers: { ...JSON_HEADERS, ...bearer(token) },
      body: JSON.stringify(body),
    }
  },
  judge: judgeByStatus,
}
