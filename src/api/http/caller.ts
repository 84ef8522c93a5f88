// For whom an operation runs: a program with a key, or a person at the dashboard.
import type { KeyAccess } from '../../domain/people/api-key.ts'
import type { Actor } from '../../store/people/audit-log.ts'

export type Caller = {
  orgId: string
  /** Who is named in the audit log, and in what an operation leaves behind. */
  actor: Actor & { type: 'API_KEY' | 'USER' }
  access: KeyAccess
  subscriptionActive: boolean
}
