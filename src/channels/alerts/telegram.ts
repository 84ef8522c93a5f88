// Telegram, through a bot.
import { type Alert, headline } from '../../domain/alerts/alert.ts'
import type { Posted } from '../../outbound/webhook-client.ts'
import {
  type AlertChannel,
  JSON_HEADERS,
  judgeByStatus,
  parseJson,
  type ResponseJudgement,
} from './alert-channel.ts'

// The limit is 4,096 characters after markup is parsed.
const MAX_TEXT = 3500

export const telegram: AlertChannel<'TELEGRAM'> = {
  request(alert, { botToken, chatId }, origins) {
    const { links } = alert
    const row = [
      { text: 'Open', url: links.open },
      ...(links.acknowledge === null ? [] : [{ text: 'Acknowledge', url: links.acknowledge }]),
    ]
    const body = {
      chat_id: chatId,
      text: textOf(alert),
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      reply_markup: { inline_keyboard: [row] },
    }
    const url = `${origins.TELEGRAM}/bot${botToken}/sendMessage`
    return { url, headers: JSON_HEADERS, body: JSON.stringify(body) }
  },
  judge,
}

function textOf(alert: Alert): string {
  const facts = alert.facts.map(({ label, value }) => `${escape(label)}: ${escape(value)}`)
  const lines = [`<b>${escape(headline(alert))}</b>`, escape(alert.summary)]
  let text = lines.join('\n')
  // Whole lines only: Telegram rejects truncated markup.
  for (const line of [...facts, `<i>${escape(alert.organization)}</i>`])
    if (text.length + line.length < MAX_TEXT) text += `\n${line}`
  return text
}

/** `{"ok":false,"description":…,"parameters":{"retry_after":…}}` */
function judge(posted: Posted): ResponseJudgement {
  const { description, parameters } = parseJson(posted.body)
  const judged = judgeByStatus(posted)
  if (judged.verdict === 'OK') return judged
  const words = typeof description === 'string' ? description : null
  const { retry_after: seconds } = (parameters ?? {}) as { retry_after?: unknown }
  return {
    verdict: judged.verdict,
    error: words === null ? judged.error : `HTTP ${posted.status}: ${words}`,
    retryAfter: typeof seconds === 'number' ? String(seconds) : judged.retryAfter,
  }
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
