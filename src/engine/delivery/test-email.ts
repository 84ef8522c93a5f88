// A mail on trial: straight to the relay, while somebody waits to hear what it says.
import { randomUUID } from 'node:crypto'
import { Relay } from '../../channels/email/relay.ts'
import { renderTestEmail } from '../../channels/email/test-email.ts'
import { sendEmail } from '../../channels/email.ts'
import type { Config } from '../../platform/config/config.ts'

// Longer than a relay that thinks it over, shorter than a person or a proxy waits.
const DEADLINE_MS = 20_000

type TestEmailInput = { to: string; name: string; organization: string }
type TestEmailResult = {
  delivered: boolean
  answer: string | null
  error: string | null
  tookMs: number
}

/** Undefined when there is no relay. */
export function createTestEmailSender({
  smtp,
  baseUrl,
}: Config): ((trial: TestEmailInput) => Promise<TestEmailResult>) | undefined {
  if (smtp === undefined) return undefined
  const host = smtp.from.slice(smtp.from.indexOf('@') + 1)
  return async ({ to, ...about }) => {
    // Of its own: a conversation that was kept open would hide what opening one says.
    const relay = new Relay(smtp.relay, host)
    const email = {
      letter: renderTestEmail({ ...about, baseUrl }),
      from: { name: 'Upvane', address: smtp.from },
      to,
      messageId: `<${randomUUID()}.test@${host}>`,
      date: new Date(),
      threadId: undefined,
      list: undefined,
    }
    try {
      const result = await sendEmail(relay, email, DEADLINE_MS)
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
