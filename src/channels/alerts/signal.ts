// Signal, through signal-cli-rest-api on a server of the organization.
import { alertText, headline, truncate } from '../../domain/alerts/alert.ts'
import { type AlertChannel, baseOf, bearer, JSON_HEADERS, judgeByStatus } from './alert-channel.ts'

// The server responds with 400 also if Signal cannot be reached. Only these will not go away.
const WRONG = /not registered|unregistered|invalid/i

export const signal: AlertChannel<'SIGNAL'> = {
  request(alert, { server, number, recipient, token }) {
    const message = truncate(`${headline(alert)}\n${alertText(alert)}`, 1800)
    const body = { message: `${message}\n${alert.links.open}`, number, recipients: [recipient] }
    const headers = { ...JSON_HEADERS, ...bearer(token) }
    return { url: `${baseOf(server)}/v2/send`, headers, body: JSON.stringify(body) }
  },
  judge(posted) {
    const judged = judgeByStatus(posted)
    if (posted.status !== 400 || WRONG.test(judged.error ?? '')) return judged
    return { ...judged, verdict: 'RETRY' }
  },
}
