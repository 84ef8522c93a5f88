// Microsoft Teams, through a workflow that receives a webhook and posts its adaptive card.
import { type Alert, headline, toneOfAlert } from '../../domain/alerts/alert.ts'
import type { Tone } from '../../domain/status-pages/notice.ts'
import { type AlertChannel, JSON_HEADERS, judgeByStatus } from './alert-channel.ts'

// Connectors from before workflows respond with 200 and report failures in the body.
const FAILED_DELIVERY = /^Webhook message delivery failed with error: .*HTTP error (\d{3})/

const COLOURS: Record<Tone, string> = {
  UP: 'Good',
  DEGRADED: 'Warning',
  DOWN: 'Attention',
  MAINTENANCE: 'Accent',
  NONE: 'Default',
}

export const microsoftTeams: AlertChannel<'TEAMS'> = {
  request(alert, { url }) {
    const attachment = {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: cardOf(alert),
    }
    const body = { type: 'message', attachments: [attachment] }
    return { url, headers: JSON_HEADERS, body: JSON.stringify(body) }
  },
  judge(posted) {
    const failed = FAILED_DELIVERY.exec(posted.body.toString('utf8'))?.[1]
    return judgeByStatus(failed === undefined ? posted : { ...posted, status: Number(failed) })
  },
}

function cardOf(alert: Alert) {
  const { links, facts, summary, organization } = alert
  const actions = [
    open('Open', links.open),
    ...(links.acknowledge === null ? [] : [open('Acknowledge', links.acknowledge)]),
  ]
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      {
        ...text(headline(alert)),
        size: 'Large',
        weight: 'Bolder',
        color: COLOURS[toneOfAlert(alert)],
      },
      text(summary),
      ...(facts.length === 0 ? [] : [factSet(facts)]),
      { ...text(organization), isSubtle: true, size: 'Small' },
    ],
    actions,
  }
}

const factSet = (facts: Alert['facts']) => ({
  type: 'FactSet',
  facts: facts.map(({ label, value }) => ({ title: plain(label), value: plain(value) })),
})
const text = (content: string) => ({ type: 'TextBlock', text: plain(content), wrap: true })
const open = (title: string, url: string) => ({ type: 'Action.OpenUrl', title, url })

/** Cards render Markdown: a target's response must not become a link. */
const plain = (content: string): string => content.replaceAll('](', ']\u200b(')
