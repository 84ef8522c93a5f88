// Sends a test email straight to the relay while the person who requested it waits for the response.
import { randomUUID } from 'node:crypto'
import { Relay } from '../../channels/email/relay.ts'
import { renderTestEmail } from '../../channels/email/test-email.ts'
import { sendEmail } from '../../channels/email.ts'
import type { Config } from '../../platform/config/config.ts'

// Long enough for a slow relay, shorter than a person or a proxy waits.
const DEADLINE_MS = 20_000

type TestEmailInput = { to: string; name: string; organization: string }
type TestEmailResult = {
  delivered: boolean
  answer: string | null
  error: string | null
  tookMs: number
}

/** Undefined if no relay is configured. */
export function createTestEmailSender({
  smtp,
  baseUrl,
}: Config): ((trial: TestEmailInput) => Promise<TestEmailResult>) | undefined {
  if (smtp === undefined) return undefined
  const host = smtp.from.slice(smtp.from.indexOf('@') + 1)
  return async ({ to, ...about }) => {
    // Not shared: reusing an open session would hide errors from opening one.
    const relay = new Relay(smtp.relay, host)
    const email = {
      content: renderTestEmail({ ...about, baseUrl }),
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
