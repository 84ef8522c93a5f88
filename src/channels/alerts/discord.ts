// Discord, through a channel's webhook.
import { type Alert, headline, toneOfAlert } from '../../domain/alerts/alert.ts'
import type { Tone } from '../../domain/status-pages/notice.ts'
import type { Posted } from '../../outbound/webhook-client.ts'
import {
  type AlertChannel,
  JSON_HEADERS,
  judgeByStatus,
  parseJson,
  type ResponseJudgement,
} from './alert-channel.ts'

const COLOURS: Record<Tone, number> = {
  UP: 0x15_80_3d,
  DEGRADED: 0xb4_53_09,
  DOWN: 0xb9_1c_1c,
  MAINTENANCE: 0x1d_4e_d8,
  NONE: 0x6b_72_80,
}

export const discord: AlertChannel<'DISCORD'> = {
  request(alert, { url }) {
    const body = {
      embeds: [embedOf(alert)],
      // A name that contains @everyone must not notify everyone.
      allowed_mentions: { parse: [] },
    }
    return { url, headers: JSON_HEADERS, body: JSON.stringify(body) }
  },
  judge,
}

function embedOf(alert: Alert) {
  const { links, facts, organization, at, summary } = alert
  const acknowledge = links.acknowledge === null ? '' : `\n[Acknowledge](${links.acknowledge})`
  return {
    title: headline(alert),
    url: links.open,
    description: escape(summary) + acknowledge,
    color: COLOURS[toneOfAlert(alert)],
    timestamp: at,
    fields: facts.map(({ label, value }) => ({
      name: label,
      value: escape(value),
      inline: value.length <= 40,
    })),
    footer: { text: organization },
  }
}

/** Prefers the body's retry delay, which has fractions of a second, over the header's. */
function judge(posted: Posted): ResponseJudgement {
  const judged = judgeByStatus(posted)
  const { retry_after: seconds } = parseJson(posted.body)
  if (posted.status !== 429 || typeof seconds !== 'number') return judged
  return { ...judged, retryAfter: String(Math.ceil(seconds)) }
}

const escape = (text: string): string => text.replaceAll(/[\\*_~`|>[\]]/g, '\\$&')
