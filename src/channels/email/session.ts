// One SMTP session with the relay: greeting, encryption and sign-in, then any number of emails.
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { OutboundError } from '../../outbound/outbound-error.ts'
import { openRelay } from '../../outbound/smtp-socket.ts'
import type { SmtpRelay } from '../../platform/config/smtp-config.ts'

export type Envelope = { from: string; to: string }

// Our deadline covers everything; this keeps nodemailer's own timeouts from firing.
const NEVER_MS = 600_000
const MAX_RESPONSE_BYTES = 64 * 1024
const GOODBYE_MS = 2_000

export class SmtpSession {
  readonly #connection: SMTPConnection
  /** Emails sent so far. */
  sent = 0
  isOver = false

  private constructor(connection: SMTPConnection) {
    this.#connection = connection
    const end = () => {
      this.isOver = true
    }
    connection.on('end', end)
    // An error while idle is noticed by the next send.
    connection.on('error', end)
  }

  static async open(relay: SmtpRelay, name: string, signal: AbortSignal): Promise<SmtpSession> {
    const { default: Connection } = await import('nodemailer/lib/smtp-connection')
    const socket = await openRelay(relay, signal)
    const { host, port, security, credentials } = relay
    const connection = new Connection({
      connection: socket,
      host,
      port,
      name,
      secure: security === 'TLS',
      requireTLS: security === 'STARTTLS',
      ignoreTLS: security === 'NONE',
      tls: { rejectUnauthorized: security !== 'OPPORTUNISTIC' },
      connectionTimeout: NEVER_MS,
      greetingTimeout: NEVER_MS,
      socketTimeout: NEVER_MS,
      maxResponseSize: MAX_RESPONSE_BYTES,
    })
    const session = new SmtpSession(connection)
    await session.#command<void>(signal, (done) => connection.connect((error) => done(error)))
    if (credentials !== undefined) {
      const auth = { user: credentials.user, pass: credentials.password }
      await session.#command<void>(signal, (done) => connection.login(auth, (error) => done(error)))
    }
    return session
  }

  /** Returns the relay's response when it accepted the email. */
  async send(envelope: Envelope, message: Buffer, signal: AbortSignal): Promise<string> {
    const info = await this.#command<SMTPConnection.SentMessageInfo>(signal, (done) =>
      this.#connection.send({ ...envelope, size: message.length }, message, done),
    )
    this.sent += 1
    return info.response
  }

  /** Quits if the connection still works. */
  end(): void {
    if (this.isOver) return this.#connection.close()
    this.isOver = true
    this.#connection.quit()
    setTimeout(() => this.#connection.close(), GOODBYE_MS).unref()
  }

  /** Any failure ends the session, because the relay's state is then unknown. */
  #command<Answer>(
    signal: AbortSignal,
    start: (done: (error?: Error | null, answer?: Answer) => void) => void,
  ): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const giveUp = () => fail(new OutboundError('TIMEOUT'))
    const hangUp = () => fail(new OutboundError('RESET', 'closed'))
    const fail = (error: Error) => {
      // Reject first, because closing triggers `end`, which would reject with another error.
      reject(error)
      this.isOver = true
      this.#connection.close()
    }
    signal.addEventListener('abort', giveUp, { once: true })
    this.#connection.on('error', fail)
    this.#connection.on('end', hangUp)
    if (signal.aborted) giveUp()
    else
      start((error, answer) => {
        if (error) fail(error)
        // Safe because without an error there is an answer.
        else resolve(answer as Answer)
      })
    return promise.finally(() => {
      signal.removeEventListener('abort', giveUp)
      this.#connection.off('error', fail)
      this.#connection.off('end', hangUp)
    })
  }
}
