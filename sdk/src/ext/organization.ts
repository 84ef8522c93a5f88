// Made from openapi-ext.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.
import type { Deleted } from '../api/shared.ts'
import type { Call } from '../client/call.ts'
import type { CallOptions, WriteOptions } from '../client/options.ts'
import type { CauseCode } from '../event-shapes.ts'
import type { PingAliasAddress, RegionSetting, RegionSettingInput } from './shared.ts'

export type Allowance = {
  /** How many there are. */
  used: number
  /** How many there may be. Null for no limit. */
  limit: number | null
}

export type EvidenceKey = {
  /** Address of this installation. */
  installation: string
  /** How files are signed. */
  algorithm: 'Ed25519'
  /** Short name of the key. */
  keyId: string
  /** The public key, 32 bytes in base64url. */
  publicKey: string
}

export type IncidentSummary = {
  /** Incidents that are not resolved. */
  ongoing: number
  /** Those that nobody has acknowledged. */
  unacknowledged: number
  /** The latest 50 of them, newest first. */
  latest: OpenIncident[]
}

export type MonitorCounts = {
  /** Monitors in all states. */
  all: number
  /** Monitors that are DOWN. */
  DOWN: number
  /** Monitors that are DEGRADED. */
  DEGRADED: number
  /** Monitors that wait for their first check. */
  PENDING: number
  /** Monitors that are UP. */
  UP: number
  /** Monitors that are paused. */
  PAUSED: number
}

export type OpenIncident = {
  /** Id of the incident. */
  id: string
  /** Id of the monitor. */
  monitorId: string
  /** Name of the monitor. */
  monitorName: string
  /** What fails, for people. */
  cause: string
  /** Kind of failure. */
  causeCode: CauseCode
  /** When it began. */
  startedAt: string
  /** Whether somebody works on it. */
  acknowledged: boolean
}

export type Overview = {
  /** When this was true. */
  at: string
  /** How many monitors there are, by state. */
  monitors: MonitorCounts
  /** Incidents that are not resolved. */
  incidents: IncidentSummary
  /** Maintenance that is active or ahead. */
  maintenanceWindows: WindowSummary
}

export type Region = {
  /** Its name, for `region` of a check. */
  name: string
  /** Whether checks can run from it right now. */
  live: boolean
  /** The longest that a check waited inside a probe of the region before it started, in the last seconds. Null if no live probe says so. */
  lateMs: number | null
}

export type RegionList = {
  /** Where checks run. Null: the oldest region that has probes. */
  home: string | null
  /** Regions that checks can run from. */
  data: Region[]
}

export type Usage = {
  /** Id of the organization that the key belongs to. */
  organizationId: string
  /** Its name. */
  name: string
  /** Its plan. */
  plan: string
  /** State of its subscription, such as `ACTIVE`. */
  subscription: string
  /** Monitors, in all states. */
  monitors: Allowance
  /** Status pages. */
  statusPages: Allowance
  /** Webhook endpoints. */
  webhookEndpoints: Allowance
  /** Maintenance windows that are not over. */
  maintenanceWindows: Allowance
  /** The shortest interval between checks. */
  fastestIntervalSeconds: number
  /** Days of history. Null for no limit. */
  historyDays: number | null
  /** Days for which single checks are kept. */
  checkLogDays: number
}

export type WindowOccurrence = {
  /** Id of the maintenance window. */
  id: string
  /** Name of the window. */
  name: string
  /** Start of the occurrence. */
  startsAt: string
  /** End of the occurrence. */
  endsAt: string
  /** Whether it covers every monitor. */
  allMonitors: boolean
}

export type WindowSummary = {
  /** Up to 50 that are active. */
  now: WindowOccurrence[]
  /** Up to 50 that are ahead, soonest first. */
  next: WindowOccurrence[]
}

export type Organization = {
  /** Get the key of evidence files. */
  evidenceKey(options?: CallOptions): Call<EvidenceKey>
  /** Get an overview. */
  overview(options?: CallOptions): Call<Overview>
  /** Get plan and usage. */
  usage(options?: CallOptions): Call<Usage>
  /** Get the regions. */
  regions(options?: CallOptions): Call<RegionList>
  /** Get the regions of the organization. */
  defaultRegions(options?: CallOptions): Call<RegionSetting>
  /** Choose the regions of the organization. */
  putDefaultRegions(input: RegionSettingInput, options?: WriteOptions): Call<RegionSetting>
  /** Remove the setting of the organization. */
  deleteDefaultRegions(options?: WriteOptions): Call<Deleted>
  /** Get the address of ping aliases. */
  pingAliases(options?: CallOptions): Call<PingAliasAddress>
}
