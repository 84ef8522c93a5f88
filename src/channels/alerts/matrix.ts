// Matrix, as a user of the organization's homeserver. The transaction id is the delivery's: the homeserver posts a
// retried message once.
import { type Alert, alertText, headline, truncate } from '../../domain/alerts/alert.ts'
import type { Posted } from '../../outbound/webhook-client.ts'
import {
  type AlertChannel,
  baseOf,
  bearer,
  JSON_HEADERS,
  judgeByStatus,
  parseJson,
  type ResponseJudgement,
} from './alert-channel.ts'

// The homeserver is the organization's: what it says is not stored unless it is an id.
const EVENT_ID = /^\$[\x21-\x7e]{1,254}$/

export const matrix: AlertChannel<'MATRIX'> = {
  request(alert, { server, roomId, accessToken }, _origins, { deliveryId, reference = null }) {
    const room = encodeURIComponent(roomId)
    const path = `/_matrix/client/v3/rooms/${room}/send/m.room.message/${deliveryId}`
    const body = {
      msgtype: 'm.text',
      body: truncate(`${headline(alert)}\n${alertText(alert)}\n${alert.links.open}`, 4000),
      format: 'org.matrix.custom.html',
      formatted_body: htmlOf(alert),
      // Nobody is mentioned, whatever the names say.
      'm.mentions': {},
      ...(reference !== null && { 'm.relates_to': threadOf(reference) }),
    }
    return {
      method: 'PUT',
      url: `${baseOf(server)}${path}`,
      headers: { ...JSON_HEADERS, ...bearer(accessToken) },
      body: JSON.stringify(body),
    }
  },
  judge,
  referenceIn({ body }) {
    const { event_id: eventId } = parseJson(body)
    return typeof eventId === 'string' && EVENT_ID.test(eventId) ? eventId : undefined
  },
}

/** For clients without threads it is a reply to the message that began it. */
const threadOf = (eventId: string) => ({
  rel_type: 'm.thread',
  event_id: eventId,
  is_falling_back: true,
  'm.in_reply_to': { event_id: eventId },
})

function htmlOf(alert: Alert): string {
  const { links, facts, summary, organization } = alert
  const acknowledge =
    links.acknowledge === null ? '' : ` · <a href="${escape(links.acknowledge)}">Acknowledge</a>`
  const rows = facts.map(({ label, value }) => `<li>${escape(label)}: ${escape(value)}</li>`)
  const list = rows.length === 0 ? '' : `<ul>${rows.join('')}</ul>`
  const title = `<b><a href="${escape(links.open)}">${escape(headline(alert))}</a></b>`
  return `${title}<br>${escape(summary)}${list}<i>${escape(organization)}</i>${acknowledge}`
}

const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** `{"errcode":"M_LIMIT_EXCEEDED","error":…,"retry_after_ms":…}`; newer servers also send Retry-After. */
function judge(posted: Posted): ResponseJudgement {
  const judged = judgeByStatus(posted)
  const { retry_after_ms: waitMs } = parseJson(posted.body)
  if (posted.status !== 429 || posted.retryAfter !== undefined || typeof waitMs !== 'number')
    return judged
  return { ...judged, retryAfter: String(Math.ceil(waitMs / 1000)) }
}
