// Checks whether the mail relay accepts us, by signing in every few seconds without sending an email.
import { Relay } from '../../channels/email/relay.ts'
import type { ConditionFinding } from '../../domain/operating/condition.ts'
import type { SmtpConfig } from '../../platform/config/smtp-config.ts'
import { every, type Loop } from '../every.ts'

const CHECK_MS = 20_000
const CHECK_FAILING_MS = 5_000
const STEP_MS = 1_000
const DEADLINE_MS = 10_000

type RelayCheck = Loop & { findings(): ConditionFinding[] }

/** Connects, signs in and disconnects. Returns undefined if the relay accepts us, otherwise the reason. */
export async function findRelayProblem(
  { relay, from }: SmtpConfig,
  deadlineMs: number,
): Promise<string | undefined> {
  const name = from.slice(from.indexOf('@') + 1)
  return new Relay(relay, name).check(deadlineMs).then(() => undefined, messageOf)
}

/** `isActive`: whether this process should check; one is enough. */
export function startRelayCheck(smtp: SmtpConfig, isActive: () => boolean): RelayCheck {
  let nextMs = 0
  let problem: string | undefined
  const loop = every(
    STEP_MS,
    async () => {
      if (!isActive() || performance.now() < nextMs) return
      problem = await findRelayProblem(smtp, DEADLINE_MS)
      nextMs = performance.now() + (problem === undefined ? CHECK_MS : CHECK_FAILING_MS)
    },
    () => {},
  )
  return {
    findings: () =>
      problem === undefined || !isActive()
        ? []
        : [
            {
              code: 'RELAY_REFUSES',
              subject: '',
              message: `The mail relay of SMTP_URL does not accept our connection: ${problem}`,
            },
          ],
    stop: loop.stop,
  }
}

const MAX_CHARACTERS = 200

function messageOf(error: unknown): string {
  const { message, detail } = error as { message?: string; detail?: string }
  return (detail || message || 'unknown').slice(0, MAX_CHARACTERS)
}
