// One change to many monitors. It is made in rounds, so that no transaction becomes long, and can be continued after an
// interruption: every change may be repeated without harm.

/** The most monitors in one bulk. */
export const MAX_BULK_MONITORS = 10_000
/** The most monitors that one request changes. */
export const BULK_ROUND = 50

export const BULK_VERBS = ['PAUSE', 'RESUME', 'DELETE', 'INTERVAL', 'CONTACTS', 'TAGS'] as const
type BulkVerb = (typeof BULK_VERBS)[number]

/** Contacts and removed tags by uuid; added tags by name. */
export type BulkChange =
  | { do: 'PAUSE' | 'RESUME' | 'DELETE' }
  | { do: 'INTERVAL'; intervalSeconds: number }
  | { do: 'CONTACTS'; attach: readonly string[]; detach: readonly string[] }
  | { do: 'TAGS'; add: readonly string[]; remove: readonly string[] }

/** The same as for one monitor. */
export const bulkRole = (verb: BulkVerb): 'ADMIN' | 'MEMBER' =>
  verb === 'CONTACTS' ? 'ADMIN' : 'MEMBER'
export const needsSubscription = (verb: BulkVerb): boolean => verb !== 'DELETE'
