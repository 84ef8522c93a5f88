// Gotify, on the organization's own server.
import {
  alertText,
  headline,
  type Severity,
  severityOf,
  truncate,
} from '../../domain/alerts/alert.ts'
import { type AlertChannel, baseOf, JSON_HEADERS, judgeByStatus } from './alert-channel.ts'

const PRIORITIES: Record<Severity, number> = { CRITICAL: 8, WARNING: 5, INFO: 2 }

export const gotify: AlertChannel<'GOTIFY'> = {
  request(alert, { server, appToken }) {
    const body = {
      title: headline(alert),
      message: truncate(alertText(alert), 1000),
      priority: PRIORITIES[severityOf(alert)],
      extras: { 'client::notification': { click: { url: alert.links.open } } },
    }
    const headers = { ...JSON_HEADERS, 'x-gotify-key': appToken }
    return { url: `${baseOf(server)}/message`, headers, body: JSON.stringify(body) }
  },
  judge: judgeByStatus,
}
