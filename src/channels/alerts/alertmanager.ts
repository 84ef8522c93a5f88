// Anything that takes the webhook of Prometheus Alertmanager (version 4 of its format). An outage fires an alert, and
// the recovery resolves the one with the same labels.
import { type Alert, alertText, closes, headline, severityOf } from '../../domain/alerts/alert.ts'
import {
  type AlertChannel,
  alarmKeyOf,
  bearer,
  JSON_HEADERS,
  judgeByStatus,
} from './alert-channel.ts'

// Go's zero time: it has not ended.
const NEVER = '0001-01-01T00:00:00Z'

export const alertmanager: AlertChannel<'ALERTMANAGER'> = {
  request(alert, { url, token }) {
    return {
      url,
      headers: { ...JSON_HEADERS, ...bearer(token) },
      body: JSON.stringify(groupOf(alert)),
    }
  },
  judge: judgeByStatus,
}

function groupOf(alert: Alert) {
  const status = closes(alert) ? 'resolved' : 'firing'
  // Only what is the same for the outage and its end: receivers match them by their labels.
  const labels = { alertname: 'Upvane', organization: alert.organization, key: alarmKeyOf(alert) }
  const annotations = {
    summary: headline(alert),
    description: alertText(alert),
    severity: severityOf(alert).toLowerCase(),
  }
  return {
    version: '4',
    groupKey: `{}:{key="${labels.key}"}`,
    truncatedAlerts: 0,
    status,
    receiver: 'Upvane',
    groupLabels: { key: labels.key },
    commonLabels: labels,
    commonAnnotations: annotations,
    externalURL: new URL(alert.links.open).origin,
    alerts: [
      {
        status,
        labels,
        annotations,
        startsAt: alert.at,
        endsAt: status === 'resolved' ? alert.at : NEVER,
        generatorURL: alert.links.open,
        fingerprint: labels.key.replaceAll(/[^0-9A-Za-z]/g, ''),
      },
    ],
  }
}
