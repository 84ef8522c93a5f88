// The mail relay, with a few sessions kept open while there are emails to send.
import { OutboundError } from '../../outbound/outbound-error.ts'
import type { SmtpRelay } from '../../platform/config/smtp-config.ts'
import { type Envelope, SmtpSession } from './session.ts'

// Relays commonly permit fifty connections per client, and other programs may need some.
const MAX_SESSIONS = 10
const MAX_EMAILS_PER_SESSION = 100
const IDLE_MS = 5_000

type Idle = { session: SmtpSession; timer: NodeJS.Timeout }
type Waiting = (session: SmtpSession | undefined) => void

export class Relay {
  readonly #relay: SmtpRelay
  readonly #name: string
  readonly #idle: Idle[] = []
  readonly #waiting: Waiting[] = []
  #open = 0

  /** `name`: the name used in the SMTP greeting. */
  constructor(relay: SmtpRelay, name: string) {
    this.#relay = relay
    this.#name = name
  }

  /** Returns the relay's response. Throws an OutboundError, or nodemailer's error with the relay's response. */
  async send(envelope: Envelope, message: Buffer, deadlineMs: number): Promise<string> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), deadlineMs)
    try {
      return await this.#sendBy(late.signal, envelope, message)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Connects, signs in and disconnects. Throws like `send`. */
  async check(deadlineMs: number): Promise<void> {
    const session = await SmtpSession.open(this.#relay, this.#name, AbortSignal.timeout(deadlineMs))
    session.end()
  }

  close(): void {
    for (const { session, timer } of this.#idle.splice(0)) {
      clearTimeout(timer)
      session.end()
    }
  }

  async #sendBy(signal: AbortSignal, envelope: Envelope, message: Buffer): Promise<string> {
    const session = await this.#acquire(signal)
    const isKept = session.sent > 0
    try {
      return await session.send(envelope, message, signal)
    } catch (error) {
      // The relay may have closed a kept session just as it was used. Retrying sends the same Message-ID, as the next
      // attempt would.
      if (!isKept || signal.aborted || hasResponse(error)) throw error
    } finally {
      this.#release(session)
    }
    return this.#sendBy(signal, envelope, message)
  }

  async #acquire(signal: AbortSignal): Promise<SmtpSession> {
    const kept = this.#acquireIdle()
    if (kept !== undefined) return kept
    if (this.#open < MAX_SESSIONS) this.#open += 1
    else {
      const handed = await this.#wait(signal)
      if (handed !== undefined) return handed
    }
    try {
      return await SmtpSession.open(this.#relay, this.#name, signal)
    } catch (error) {
      this.#free()
      throw error
    }
  }

  #acquireIdle(): SmtpSession | undefined {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(idle.timer)
      if (!idle.session.isOver) return idle.session
      this.#free()
    }
    return undefined
  }

  /** Resolves with undefined if a session ended and a new one may be opened in its place. */
  #wait(signal: AbortSignal): Promise<SmtpSession | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<SmtpSession | undefined>()
    const giveUp = () => {
      const at = this.#waiting.indexOf(resolve)
      if (at !== -1) this.#waiting.splice(at, 1)
      reject(new OutboundError('TIMEOUT'))
    }
    signal.addEventListener('abort', giveUp, { once: true })
    this.#waiting.push(resolve)
    return promise.finally(() => signal.removeEventListener('abort', giveUp))
  }

  #release(session: SmtpSession): void {
    if (session.isOver || session.sent >= MAX_EMAILS_PER_SESSION) {
      session.end()
      return this.#free()
    }
    const next = this.#waiting.shift()
    if (next !== undefined) return next(session)
    const timer = setTimeout(() => this.#drop(session), IDLE_MS)
    this.#idle.push({ session, timer })
  }

  #drop(session: SmtpSession): void {
    const at = this.#idle.findIndex((idle) => idle.session === session)
    if (at === -1) return
    this.#idle.splice(at, 1)
    session.end()
    this.#free()
  }

  /** A free slot goes straight to the next waiting send, so that the limit is never exceeded. */
  #free(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#open -= 1
    else next(undefined)
  }
}

/** The relay responded with a refusal: retrying immediately would not help. */
const hasResponse = (error: unknown) => error instanceof Error && 'responseCode' in error
