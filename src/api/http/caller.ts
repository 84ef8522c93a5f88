// The caller of an operation: a program with an API key, or a person using the dashboard.
import type { KeyAccess } from '../../domain/people/api-key.ts'
import type { Actor } from '../../store/people/audit-log.ts'

export type Caller = {
  orgId: string
  /** Named in the audit log and in the records that an operation creates. */
  actor: Actor & { type: 'API_KEY' | 'USER' }
  access: KeyAccess
  subscriptionActive: boolean
  /** Recorded in the audit log: an assistant did it with the caller's key. */
  via?: 'MCP'
}
