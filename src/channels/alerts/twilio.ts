// Twilio: a text message, or a call that reads the alert aloud.
import { type Alert, truncate } from '../../domain/alerts/alert.ts'
import { type AlertChannel, judgeByStatus } from './alert-channel.ts'

// A text message is billed by its parts of 70 characters.
const MAX_SMS = 600
const MIN_TEXT = 100
const MAX_SPOKEN = 500

export const twilio: AlertChannel<'TWILIO'> = {
  request(alert, { accountSid, authToken, means, from, to }, origins) {
    const isCall = means === 'CALL'
    const content = isCall ? { Twiml: spoken(alert) } : { Body: written(alert) }
    const account = `${origins.TWILIO}/2010-04-01/Accounts/${accountSid}`
    const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64')
    return {
      url: `${account}/${isCall ? 'Calls' : 'Messages'}.json`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${credentials}`,
      },
      body: new URLSearchParams({ From: from, To: to, ...content }).toString(),
    }
  },
  judge: judgeByStatus,
}

/** The link is never cut. */
function written({ title, summary, links }: Alert): string {
  const rest = Math.max(MIN_TEXT, MAX_SMS - links.open.length - 1)
  return `${truncate(`${title}: ${summary}`, rest)} ${links.open}`
}

function spoken({ title, summary }: Alert): string {
  const text = escape(truncate(`${title}. ${summary}`, MAX_SPOKEN))
  return `<Response><Say loop="2">${text}. </Say></Response>`
}

const escape = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
