// Pushover. An outage has high priority, so that it bypasses the phone's quiet hours.
import {
  alertText,
  headline,
  type Severity,
  severityOf,
  truncate,
} from '../../domain/alerts/alert.ts'
import { type AlertChannel, JSON_HEADERS, judgeByStatus } from './alert-channel.ts'

const PRIORITIES: Record<Severity, number> = { CRITICAL: 1, WARNING: 0, INFO: -1 }

export const pushover: AlertChannel<'PUSHOVER'> = {
  request(alert, { appToken, userKey }, origins) {
    const body = {
      token: appToken,
      user: userKey,
      title: headline(alert),
      message: truncate(alertText(alert), 1024),
      priority: PRIORITIES[severityOf(alert)],
      url: truncate(alert.links.open, 512),
      url_title: 'Open',
      timestamp: Math.floor(Date.parse(alert.at) / 1000),
    }
    const url = `${origins.PUSHOVER}/1/messages.json`
    return { url, headers: JSON_HEADERS, body: JSON.stringify(body) }
  },
  judge: judgeByStatus,
}
