// Made from openapi-ext.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.
import type { CheckEvidence } from '../api/incidents.ts'

export type CheckResult = {
  /** INCONCLUSIVE: the check could not run. */
  result: 'OK' | 'FAILED' | 'INCONCLUSIVE'
  /** Region of the last attempt. `none` if there was none. */
  region: string
  /** What the check saw. */
  check: CheckEvidence
}

export type PingAliasAddress = {
  /** Address below which old tokens work: append `/` and the token. Keep it secret. Null before the first alias. */
  prefix: string | null
  /** How many aliases there are. Their tokens cannot be read. */
  total: number
}
