// Sends an email through the relay and interprets its response. A refused recipient ends only their own delivery;
// failures that affect every email count against the relay.
import type { AttemptErrorCode } from '../domain/events/delivery.ts'
import { NO_RESPONSE, type SendResult } from '../domain/events/delivery-outcome.ts'
import { OutboundError } from '../outbound/outbound-error.ts'
import { composeMessage, type Email } from './email/compose.ts'
import type { Relay } from './email/relay.ts'

/** Throws only on faults of our own. */
export async function sendEmail(
  relay: Relay,
  email: Email,
  deadlineMs: number,
): Promise<SendResult> {
  const startMs = performance.now()
  const message = await composeMessage(email)
  const hide = (text: string) => withoutAddress(text, email.to)
  try {
    const envelope = { from: email.from.address, to: email.to }
    const answer = await relay.send(envelope, message, deadlineMs)
    const status = codeOf(answer)
    return {
      ...NO_RESPONSE,
      outcome: 'SUCCEEDED',
      durationMs: performance.now() - startMs,
      responseStatus: status,
      responseBody: hide(answer),
    }
  } catch (error) {
    const failure = error instanceof OutboundError ? outboundFailure(error) : relayFailure(error)
    const { response, code, ...rest } = failure
    return {
      ...NO_RESPONSE,
      ...rest,
      error: rest.error === null ? null : hide(rest.error),
      durationMs: performance.now() - startMs,
      responseStatus: code ?? null,
      responseBody: response === undefined ? null : hide(response),
    }
  }
}

type Failure = Pick<SendResult, 'errorCode' | 'error' | 'isReceiverFault' | 'next'> & {
  code?: number | undefined
  response?: string | undefined
}

const CODES: Partial<Record<OutboundError['code'], AttemptErrorCode>> = {
  TIMEOUT: 'TIMEOUT',
  NAME_NOT_FOUND: 'DNS_ERROR',
  NAME_NOT_ANSWERED: 'DNS_ERROR',
}

function outboundFailure({ code, detail, isOwnFault }: OutboundError): Failure {
  return {
    errorCode: CODES[code] ?? 'CONNECTION_FAILED',
    error:
      code === 'TIMEOUT'
        ? 'The relay did not take it in time'
        : `The relay could not be reached (${detail})`,
    isReceiverFault: !isOwnFault,
    next: 'RETRY',
  }
}

/** nodemailer's error: its own code, the command that failed, and the relay's response. */
type RelayError = Error & {
  code: string
  command?: string
  response?: string
  responseCode?: number
}

const RELAY_CODES: Readonly<Record<string, AttemptErrorCode>> = {
  EENVELOPE: 'BAD_STATUS',
  EMESSAGE: 'BAD_STATUS',
  EAUTH: 'BAD_STATUS',
  ENOAUTH: 'BAD_STATUS',
  ETLS: 'TLS_ERROR',
  ESOCKET: 'CONNECTION_FAILED',
  ECONNECTION: 'CONNECTION_FAILED',
  ETIMEDOUT: 'CONNECTION_FAILED',
  EPROTOCOL: 'CONNECTION_FAILED',
}

function relayFailure(error: unknown): Failure {
  if (!isRelayError(error)) throw error
  const { responseCode: code, response } = error
  const errorCode = isAboutTls(error) ? 'TLS_ERROR' : RELAY_CODES[error.code]
  if (errorCode === undefined) throw error
  const isOver = code !== undefined && code >= 500 && isAboutThisEmail(error)
  return {
    errorCode,
    error:
      code === undefined
        ? `The relay failed (${error.message})`
        : `Answered with SMTP ${code} to ${error.command ?? 'the mail'}`,
    code,
    response,
    isReceiverFault: !isAboutThisEmail(error),
    next: isOver ? 'OVER' : 'RETRY',
  }
}

function isRelayError(error: unknown): error is RelayError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

// An untrusted certificate appears as a socket error.
const isAboutTls = ({ code, message }: RelayError) =>
  code === 'ETLS' || (code === 'ESOCKET' && /certificate|tls|ssl/i.test(message))

// 5.7 means that we may not send, not that the recipient is unknown: a relay that requires a password says so to
// everyone.
const NOT_ALLOWED = /^5\d\d[ -]5\.7\./

/** Whether it is about the recipient or the content; the sender, sign-in and connection are the same for all emails. */
function isAboutThisEmail({ code, command, response }: RelayError): boolean {
  if (code === 'EMESSAGE') return true
  return code === 'EENVELOPE' && command === 'RCPT TO' && !NOT_ALLOWED.test(response ?? '')
}

function codeOf(answer: string): number | null {
  const code = Number(/^\d{3}/.exec(answer)?.[0])
  return Number.isNaN(code) ? null : code
}

// The attempt log is not encrypted, and relays often echo the refused address.
function withoutAddress(text: string, address: string): string {
  const pattern = new RegExp(RegExp.escape(address), 'gi')
  return text.replace(pattern, '…').replaceAll('\0', '\uFFFD').slice(0, MAX_RESPONSE_CHARACTERS)
}

const MAX_RESPONSE_CHARACTERS = 2_000
