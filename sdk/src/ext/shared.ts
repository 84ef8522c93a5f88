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

export type ChosenRegions = {
  /** Names of regions, in the order in which they are asked. */
  regions: string[]
  /** FIRST: each check runs in the first of them that has a live probe, and the next confirms a failure. EACH: it runs in all of them at once. */
  mode: 'FIRST' | 'EACH'
  /** EACH only: how many regions have to fail for the monitor to be DOWN. With fewer, it is DEGRADED. Null: the majority. */
  downWhen: number | null
}

export type PingAliasAddress = {
  /** Address below which old tokens work: append `/` and the token. Keep it secret. Null before the first alias. */
  prefix: string | null
  /** How many aliases there are. Their tokens cannot be read. */
  total: number
}

export type RegionSetting = {
  /** Names of regions, in the order in which they are asked. */
  regions: string[]
  /** FIRST: each check runs in the first of them that has a live probe, and the next confirms a failure. EACH: it runs in all of them at once. */
  mode: 'FIRST' | 'EACH'
  /** EACH only: how many regions have to fail for the monitor to be DOWN. With fewer, it is DEGRADED. Null: the majority. */
  downWhen: number | null
  /** Whose setting it is. */
  from: 'MONITOR' | 'TAG' | 'ORGANIZATION'
  /** Id of that monitor or tag. Null for the organization. */
  id: string | null
  /** When it was last changed. */
  updatedAt: string
}

export type RegionSettingInput = {
  /** Names of regions, in the order in which they are asked. */
  regions: string[]
  /** FIRST: each check runs in the first of them that has a live probe, and the next confirms a failure. EACH: it runs in all of them at once. Default: `FIRST`. */
  mode?: 'FIRST' | 'EACH'
  /** EACH only: how many regions have to fail for the monitor to be DOWN. With fewer, it is DEGRADED. Null: the majority. */
  downWhen?: number | null
}
