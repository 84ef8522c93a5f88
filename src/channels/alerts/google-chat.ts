// Google Chat, through a space's webhook. Alerts about the same thing share a thread.
import { type Alert, headline } from '../../domain/alerts/alert.ts'
import { type AlertChannel, JSON_HEADERS, judgeByStatus } from './alert-channel.ts'

export const googleChat: AlertChannel<'GOOGLE_CHAT'> = {
  request(alert, { url }) {
    const address = new URL(url)
    address.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
    const body = {
      text: unmentioned(`${headline(alert)}: ${alert.summary}`),
      cardsV2: [{ cardId: alert.thread, card: cardOf(alert) }],
      thread: { threadKey: alert.thread },
    }
    return { url: address.href, headers: JSON_HEADERS, body: JSON.stringify(body) }
  },
  judge: judgeByStatus,
}

function cardOf(alert: Alert) {
  const { links, facts, organization, summary } = alert
  const widgets = facts.map(({ label, value }) => ({
    decoratedText: { topLabel: label, text: escape(value), wrapText: true },
  }))
  const buttons = [
    open('Open', links.open),
    ...(links.acknowledge === null ? [] : [open('Acknowledge', links.acknowledge)]),
  ]
  const summaryWidget = { textParagraph: { text: escape(summary) } }
  return {
    header: { title: headline(alert), subtitle: organization },
    sections: [{ widgets: [summaryWidget, ...widgets, { buttonList: { buttons } }] }],
  }
}

const open = (text: string, url: string) => ({ text, onClick: { openLink: { url } } })

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Plain text cannot be escaped, and a name such as <users/all> would notify everyone. */
const unmentioned = (text: string): string => text.replaceAll('<', '‹').replaceAll('>', '›')
