// Apprise API, a server of the organization that passes notifications on to more than a hundred services.
import { alertText, headline, toneOfAlert } from '../../domain/alerts/alert.ts'
import type { Tone } from '../../domain/status-pages/notice.ts'
import type { Posted } from '../../outbound/webhook-client.ts'
import {
  type AlertChannel,
  baseOf,
  JSON_HEADERS,
  judgeByStatus,
  type ResponseJudgement,
} from './alert-channel.ts'

const TYPES: Record<Tone, string> = {
  UP: 'success',
  DEGRADED: 'warning',
  DOWN: 'failure',
  MAINTENANCE: 'info',
  NONE: 'info',
}

export const apprise: AlertChannel<'APPRISE'> = {
  request(alert, { server, key, tags, urls }) {
    const body = {
      title: headline(alert),
      body: `${alertText(alert)}\n${alert.links.open}`,
      type: TYPES[toneOfAlert(alert)],
      format: 'text',
      ...(key === null && { urls }),
      ...(key !== null && tags !== null && { tag: tags }),
    }
    const url = `${baseOf(server)}/notify${key === null ? '' : `/${key}`}`
    return { url, headers: JSON_HEADERS, body: JSON.stringify(body) }
  },
  judge,
}

const NO_CONTENT = 204
const NOT_PASSED_ON = 424

function judge(posted: Posted): ResponseJudgement {
  if (posted.status === NO_CONTENT)
    return { verdict: 'OVER', error: 'HTTP 204: no configuration has this key or these tags' }
  const judged = judgeByStatus(posted)
  // Some of the services were notified. Another attempt would notify them again.
  return posted.status === NOT_PASSED_ON ? { ...judged, verdict: 'OVER' } : judged
}
