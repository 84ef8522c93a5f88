// A transaction holds a database connection and often a lock that others wait for. Slow work inside one is a bug: it
// throws here, in tests and in production alike, instead of causing an outage under load.
import { AsyncLocalStorage } from 'node:async_hooks'

type Scope = { isOpen: boolean }

const scopes = new AsyncLocalStorage<Scope>()

/** Everything that `work` starts counts as inside the transaction until it has ended. */
export async function runInTransactionScope<T>(work: () => Promise<T>): Promise<T> {
  const scope = { isOpen: true }
  try {
    return await scopes.run(scope, work)
  } finally {
    scope.isOpen = false
  }
}

/** `what` is named in the error, such as `Hashing a password`. */
export function assertOutsideTransaction(what: string): void {
  if (scopes.getStore()?.isOpen) throw new Error(`${what} is not allowed inside a transaction`)
}

/** For tests that simulate two callers at once: `work` is not part of the surrounding transaction. */
export function runOutsideTransactionScope<T>(work: () => T): T {
  return scopes.exit(work)
}
