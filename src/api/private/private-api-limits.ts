// Limits the private API's requests per minute. Counted per process.
import type { LimitConfig } from '../../platform/config/limit-config.ts'
import { MinuteLimit, Refusals } from '../../platform/limits/minute-limit.ts'

type Limits = Pick<
  LimitConfig,
  'requestsPerSession' | 'requestsPerOrganization' | 'requestsPerNetwork'
>

/** A session's hashed token, and the organization of the request. */
type SessionVisit = { tokenHash: Buffer; orgId: string | null }

export class PrivateApiLimits {
  readonly #sessions: MinuteLimit
  readonly #organizations: MinuteLimit
  readonly #networks: MinuteLimit
  readonly #refusals = new Refusals()

  constructor({ requestsPerSession, requestsPerOrganization, requestsPerNetwork }: Limits) {
    this.#sessions = new MinuteLimit(requestsPerSession)
    this.#organizations = new MinuteLimit(requestsPerOrganization)
    this.#networks = new MinuteLimit(requestsPerNetwork)
  }

  /** Throws if this session was refused here moments ago: it is not looked up again meanwhile. */
  refuseAgain(visit: SessionVisit): void {
    this.#refusals.repeat(keyOf(visit), performance.now())
  }

  /** Counts the session first: one over its limit uses none of its organization's. */
  countMember(visit: SessionVisit, sessionUuid: string, orgId: string | undefined): void {
    const nowMs = performance.now()
    this.#refusals.remember(keyOf(visit), nowMs, () => {
      this.#sessions.count(sessionUuid, nowMs)
      if (orgId !== undefined) this.#organizations.count(orgId, nowMs)
    })
  }

  /** Counts a person who is not signed in, or need not be for this operation. */
  countVisitor(network: string): void {
    this.#networks.count(network, performance.now())
  }
}

const keyOf = ({ tokenHash, orgId }: SessionVisit): string =>
  `${tokenHash.toString('base64')} ${orgId ?? ''}`
