// A mail on trial: straight to the relay, while somebody waits to hear what it says.
import { randomUUID } from 'node:crypto'
import { sendMail } from '../../channels/email.ts'
import { Relay } from '../../channels/mail/relay.ts'
import { testLetter } from '../../channels/mail/test-letter.ts'
import type { Config } from '../../platform/config/config.ts'

// Longer than a relay that thinks it over, shorter than a person or a proxy waits.
const DEADLINE_MS = 20_000

type MailTrial = { to: string; name: string; organization: string }
type MailOutcome = {
  delivered: boolean
  answer: string | null
  error: string | null
  tookMs: number
}

/** Undefined when there is no relay. */
export function testMail({
  smtp,
  baseUrl,
}: Config): ((trial: MailTrial) => Promise<MailOutcome>) | undefined {
  if (smtp === undefined) return undefined
  const host = smtp.from.slice(smtp.from.indexOf('@') + 1)
  return async ({ to, ...about }) => {
    // Of its own: a conversation that was kept open would hide what opening one says.
    const relay = new Relay(smtp.relay, host)
    const mail = {
      letter: testLetter({ ...about, baseUrl }),
      from: { name: 'Upvane', address: smtp.from },
      to,
      messageId: `<${randomUUID()}.test@${host}>`,
      date: new Date(),
      threadId: undefined,
      list: undefined,
    }
    try {
      const result = await sendMail(relay, mail, DEADLINE_MS)
      return {
        delivered: result.outcome === 'SUCCEEDED',
        answer: result.responseBody,
        error: result.error,
        tookMs: Math.round(result.durationMs),
      }
    } finally {
      relay.close()
    }
  }
}
