// The identity provider's interface; the connection to it is implemented elsewhere.
import type { ProvenIdentity } from '../../../domain/people/id-token.ts'

type Secrets = { state: string; nonce: string; verifier: string }
/** Worded for the log. */
type Failed = { problem: string }

export type IdentityProvider = {
  issuer: string
  /** The name shown to people. */
  name: string
  /** The URL to send the browser to. */
  begin(secrets: Secrets): Promise<string | Failed>
  /** Identifies the person who returned with these parameters. */
  finish(query: URLSearchParams, secrets: Secrets): Promise<{ identity: ProvenIdentity } | Failed>
}
