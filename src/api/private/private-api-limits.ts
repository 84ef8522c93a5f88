// How many requests the private API takes in a minute. Counted in each process.
import type { LimitConfig } from '../../platform/config/limit-config.ts'
import { MinuteLimit, Refusals } from '../../platform/limits/minute-limit.ts'

type Limits = Pick<
  LimitConfig,
  'requestsPerSession' | 'requestsPerOrganization' | 'requestsPerNetwork'
>

/** A session's token, hashed, and the organization that was asked about. */
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

  /** Throws when this session was refused here a moment ago: it is not looked up again meanwhile. */
  refuseAgain(visit: SessionVisit): void {
    this.#refusals.repeat(keyOf(visit), performance.now())
  }

  /** The session first: one that is over its limit uses up nothing of its organization's. */
  countMember(visit: SessionVisit, sessionUuid: string, orgId: string | undefined): void {
    const nowMs = performance.now()
    this.#refusals.remember(keyOf(visit), nowMs, () => {
      this.#sessions.count(sessionUuid, nowMs)
      if (orgId !== undefined) this.#organizations.count(orgId, nowMs)
    })
  }

  /** Somebody who has not signed in, or does not need to for this. */
  countVisitor(network: string): void {
    this.#networks.count(network, performance.now())
  }
}

const keyOf = ({ tokenHash, orgId }: SessionVisit): string =>
  `${tokenHash.toString('base64')} ${orgId ?? ''}`
