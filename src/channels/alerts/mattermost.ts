// Mattermost and Rocket.Chat, through an incoming webhook. Both take attachments in the form that Slack once had.
import { type Alert, headline, toneOfAlert } from '../../domain/alerts/alert.ts'
import type { Tone } from '../../domain/status-pages/notice.ts'
import { type AlertChannel, JSON_HEADERS, judgeByStatus, parseJson } from './alert-channel.ts'

const COLOURS: Record<Tone, string> = {
  UP: '#15803d',
  DEGRADED: '#b45309',
  DOWN: '#b91c1c',
  MAINTENANCE: '#1d4ed8',
  NONE: '#6b7280',
}
// Longer values get a line of their own.
const SHORT = 40

export const mattermost: AlertChannel<'MATTERMOST'> = {
  request: (alert, { url }) => ({ url, headers: JSON_HEADERS, body: bodyOf(alert) }),
  judge: judgeByStatus,
}

export const rocketChat: AlertChannel<'ROCKET_CHAT'> = {
  request: (alert, { url }) => ({ url, headers: JSON_HEADERS, body: bodyOf(alert) }),
  // A script of the integration may fail while the response is 200.
  judge(posted) {
    const isFailed = posted.status === 200 && parseJson(posted.body)['success'] === false
    return judgeByStatus(isFailed ? { ...posted, status: 500 } : posted)
  },
}

function bodyOf(alert: Alert): string {
  const { links, facts, organization, summary } = alert
  const acknowledge = links.acknowledge === null ? '' : ` · [Acknowledge](${links.acknowledge})`
  const title = headline(alert)
  return JSON.stringify({
    // Shown in notifications, which have no attachments.
    text: plain(`${title}: ${summary}`),
    attachments: [
      {
        fallback: unmentioned(`${title}: ${summary}`),
        color: COLOURS[toneOfAlert(alert)],
        title: unmentioned(title),
        title_link: links.open,
        text: `${plain(summary)}\n[Open](${links.open})${acknowledge}`,
        fields: facts.map(({ label, value }) => ({
          short: value.length <= SHORT,
          title: unmentioned(label),
          value: plain(value),
        })),
        footer: unmentioned(organization),
      },
    ],
  })
}

/** Without Markdown: a target's response must not become a link. */
const plain = (text: string): string => unmentioned(text).replaceAll(/[\\`*_~|>[\]#]/g, '\\$&')

/** A name such as @all must not notify everyone, and none may disguise a link. */
const unmentioned = (text: string): string =>
  text.replaceAll('@', '@\u200b').replaceAll('](', ']\u200b(')
