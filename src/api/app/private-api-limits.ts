// How many requests the private API takes in a minute. Counted in each process.
import type { LimitConfig } from '../../platform/limit-config.ts'
import { MinuteLimit } from '../../platform/minute-limit.ts'

type Limits = Pick<
  LimitConfig,
  'requestsPerSession' | 'requestsPerOrganization' | 'requestsPerNetwork'
>

export class PrivateApiLimits {
  readonly #sessions: MinuteLimit
  readonly #organizations: MinuteLimit
  readonly #networks: MinuteLimit

  constructor({ requestsPerSession, requestsPerOrganization, requestsPerNetwork }: Limits) {
    this.#sessions = new MinuteLimit(requestsPerSession)
    this.#organizations = new MinuteLimit(requestsPerOrganization)
    this.#networks = new MinuteLimit(requestsPerNetwork)
  }

  /** The session first: one that is over its limit uses up nothing of its organization's. */
  countMember(sessionUuid: string, orgId: string | undefined): void {
    this.#sessions.count(sessionUuid, performance.now())
    if (orgId !== undefined) this.#organizations.count(orgId, performance.now())
  }

  /** Somebody who has not signed in, or does not need to for this. */
  countVisitor(network: string): void {
    this.#networks.count(network, performance.now())
  }
}
