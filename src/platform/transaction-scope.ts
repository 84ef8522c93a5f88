// A transaction holds a database connection and often a lock that others wait for. Slow work inside one is a bug:
// it throws here, in tests and in production alike, instead of becoming somebody's outage under load.
import { AsyncLocalStorage } from 'node:async_hooks'

type Scope = { isOpen: boolean }

const scopes = new AsyncLocalStorage<Scope>()

/** Everything `work` starts counts as inside the transaction, until it has ended. */
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

/** For tests that play two callers at once: what `work` does is not part of the transaction around it. */
export function runOutsideTransactionScope<T>(work: () => T): T {
  return scopes.exit(work)
}
