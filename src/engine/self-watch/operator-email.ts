// Emails the operator about the installation itself, straight to the relay, bypassing everything that may be stuck.
import { createHash } from 'node:crypto'
import { renderOperatorEmail } from '../../channels/email/operator-email.ts'
import { Relay } from '../../channels/email/relay.ts'
import { sendEmail } from '../../channels/email.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { ConditionChange } from './condition-report.ts'

const DEADLINE_MS = 15_000

type OperatorNotifier = { notify(change: ConditionChange): Promise<boolean>; close(): void }

/** Undefined if there is no operator address or no relay. */
export function createOperatorNotifier(
  { smtp, baseUrl, selfWatch }: Config,
  log: Log,
  onFailed: () => void,
): OperatorNotifier | undefined {
  const to = selfWatch.operatorEmail
  if (smtp === undefined || to === undefined) return undefined
  const host = smtp.from.slice(smtp.from.indexOf('@') + 1)
  const relay = new Relay(smtp.relay, host)
  return {
    async notify({ condition, isOver }) {
      const { code, subject, since } = condition
      const about = createHash('sha256').update(`${code} ${subject}`).digest('hex').slice(0, 12)
      const thread = `${since.getTime()}.${about}.self-watch@${host}`
      const email = {
        content: renderOperatorEmail({ baseUrl, condition, isOver }),
        from: { name: 'Upvane', address: smtp.from },
        to,
        // The same for every attempt, so that duplicates are recognized.
        messageId: `<${isOver ? 'end' : 'begin'}.${thread}>`,
        date: new Date(),
        threadId: `<${thread}>`,
        list: undefined,
      }
      const { outcome, error } = await sendEmail(relay, email, DEADLINE_MS)
      if (outcome === 'FAILED') {
        onFailed()
        log.warn({ error }, 'the operator could not be notified')
      }
      return outcome === 'SUCCEEDED'
    },
    close: () => relay.close(),
  }
}
