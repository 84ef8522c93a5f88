// Made from openapi-ext.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.
import type { Deleted } from '../api/shared.ts'
import type { Call } from '../client/call.ts'
import type { List } from '../client/list.ts'
import type { CallOptions, WriteOptions } from '../client/options.ts'

export type EscalationPolicy = {
  /** Id of the monitor or tag it belongs to, which has one policy. */
  id: string
  /** What it belongs to. */
  targetType: 'MONITOR' | 'TAG'
  /** Name of the monitor or tag. */
  targetName: string
  /** In order: each step is later than the one before. */
  steps: EscalationStep[]
  /** When it was last changed. */
  updatedAt: string
}

export type EscalationPolicyInput = {
  /** In order: each step is later than the one before. */
  steps: EscalationStepInput[]
}

export type EscalationStep = {
  /** Minutes without an acknowledgement after which these contacts are alerted, counted from the outage. */
  afterMinutes: number
  /** The contacts of this step. Each contact is in one step. */
  contactIds: string[]
}

export type EscalationStepInput = {
  /** Minutes without an acknowledgement after which these contacts are alerted, counted from the outage. */
  afterMinutes: number
  /** The contacts of this step. Each contact is in one step. */
  contactIds: string[]
}

export type EscalationPoliciesQuery = Record<string, never>

export type EscalationPolicies = {
  /** List escalation policies. */
  list(query?: EscalationPoliciesQuery, options?: CallOptions): List<EscalationPolicy>
  /** Get an escalation policy. */
  get(id: string, options?: CallOptions): Call<EscalationPolicy>
  /** Create or replace an escalation policy. */
  put(id: string, input: EscalationPolicyInput, options?: WriteOptions): Call<EscalationPolicy>
  /** Delete an escalation policy. */
  delete(id: string, options?: WriteOptions): Call<Deleted>
}
