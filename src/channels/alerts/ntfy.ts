// ntfy, on the public server or a self-hosted one.
import {
  alertText,
  headline,
  type Severity,
  severityOf,
  toneOfAlert,
  truncate,
} from '../../domain/alerts/alert.ts'
import type { Tone } from '../../domain/status-pages/notice.ts'
import { type AlertChannel, JSON_HEADERS, judgeByStatus } from './alert-channel.ts'

const PRIORITIES: Record<Severity, number> = { CRITICAL: 5, WARNING: 4, INFO: 3 }
const TAGS: Record<Tone, string> = {
  UP: 'white_check_mark',
  DEGRADED: 'warning',
  DOWN: 'rotating_light',
  MAINTENANCE: 'construction',
  NONE: 'bell',
}

export const ntfy: AlertChannel<'NTFY'> = {
  request(alert, { server, topic, token }) {
    const { links } = alert
    const actions = [
      { action: 'view', label: 'Open', url: links.open },
      ...(links.acknowledge === null
        ? []
        : [{ action: 'view', label: 'Acknowledge', url: links.acknowledge }]),
    ]
    const body = {
      topic,
      title: headline(alert),
      // A message over 4 kB would arrive as a file.
      message: truncate(alertText(alert), 1000),
      priority: PRIORITIES[severityOf(alert)],
      tags: [TAGS[toneOfAlert(alert)]],
      click: links.open,
      actions,
    }
    const headers = {
      ...JSON_HEADERS,
      ...(token !== null && { authorization: `Bearer ${token}` }),
    }
    return { url: server.replace(/\/*$/, '/'), headers, body: JSON.stringify(body) }
  },
  judge: judgeByStatus,
}
