// An identity provider as this room knows it; the way there is another's.
import type { ProvenIdentity } from '../../../domain/people/id-token.ts'

type Secrets = { state: string; nonce: string; verifier: string }
/** In words for the log. */
type Failed = { problem: string }

export type IdentityProvider = {
  issuer: string
  /** As people know it. */
  name: string
  /** Where the browser is sent. */
  begin(secrets: Secrets): Promise<string | Failed>
  /** Who came back with this code. */
  finish(code: string, secrets: Secrets): Promise<{ identity: ProvenIdentity } | Failed>
}

/** Pages of the dashboard that a browser is led back to. */
export const SIGN_IN_PAGE = '/sign-in'
export const ACCOUNT_PAGE = '/account'
