// Slack, through an incoming webhook.
import { type Alert, headline, toneOfAlert } from '../../domain/alerts/alert.ts'
import type { Tone } from '../../domain/status-pages/notice.ts'
import { type AlertChannel, JSON_HEADERS, judgeByStatus } from './alert-channel.ts'

const COLOURS: Record<Tone, string> = {
  UP: '#15803d',
  DEGRADED: '#b45309',
  DOWN: '#b91c1c',
  MAINTENANCE: '#1d4ed8',
  NONE: '#6b7280',
}

export const slack: AlertChannel<'SLACK'> = {
  request(alert, { url }) {
    const body = {
      // Shown in notifications, which do not render blocks.
      text: escape(`${headline(alert)}: ${alert.summary}`),
      attachments: [{ color: COLOURS[toneOfAlert(alert)], blocks: blocksOf(alert) }],
    }
    return { url, headers: JSON_HEADERS, body: JSON.stringify(body) }
  },
  judge: judgeByStatus,
}

function blocksOf(alert: Alert) {
  const { links, facts } = alert
  const fields = facts.map(({ label, value }) => mrkdwn(`*${escape(label)}*\n${escape(value)}`))
  const buttons = [
    button('Open', links.open),
    ...(links.acknowledge === null ? [] : [button('Acknowledge', links.acknowledge)]),
  ]
  return [
    section(mrkdwn(`*<${links.open}|${escape(headline(alert))}>*\n${escape(alert.summary)}`)),
    ...(fields.length > 0 ? [{ type: 'section', fields }] : []),
    { type: 'actions', elements: buttons },
    { type: 'context', elements: [mrkdwn(escape(alert.organization))] },
  ]
}

const mrkdwn = (text: string) => ({ type: 'mrkdwn', text })
const section = (text: object) => ({ type: 'section', text })
const button = (text: string, url: string) => ({
  type: 'button',
  text: { type: 'plain_text', text },
  url,
})

/** Escaping these three prevents names from mentioning a channel or disguising a link. */
const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
