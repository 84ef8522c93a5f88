// Binds operations of the extension API that were made from private ones to the same handlers.
import type { ExtOperation } from '../../contract/ext/operation.ts'
import type { Role } from '../../domain/people/role.ts'
import type { Database } from '../../store/core/db.ts'
import type { BoundOperation } from '../http/bind.ts'
import type { Caller } from '../http/caller.ts'
import type { ReadContext } from '../http/contexts.ts'

/** `name`: whose share of the connections for accounts and limits is used. */
export type PeopleFor = (name: string) => Database

/** Startup fails if a private operation is gone that one of these was made from. */
export function servedToKeys(
  operations: readonly ExtOperation[],
  bound: readonly BoundOperation[],
  peopleFor: PeopleFor,
): BoundOperation[] {
  return operations.flatMap((operation) => {
    const { from, id } = operation
    if (from === undefined) return []
    const own = bound.find((one) => one.operation === from)
    if (own === undefined) throw new Error(`${id} has no handler in the private API`)
    return [forKey(own, operation, peopleFor)]
  })
}

function forKey(
  { prepare, ...own }: BoundOperation,
  operation: ExtOperation,
  peopleFor: PeopleFor,
): BoundOperation {
  const asMember = <C extends { caller: Caller }>(context: C) => ({
    ...context,
    people: peopleFor(context.caller.orgId),
    role: roleOf(context.caller),
    get session(): never {
      throw new Error(`A key has no session: ${operation.id}`)
    },
  })
  return {
    ...own,
    operation,
    handle: (input, context, prepared) => own.handle(input, asMember(context), prepared),
    ...(prepare && {
      prepare: (input: unknown, context: ReadContext) => prepare(input, asMember(context)),
    }),
  }
}

/** The pipeline has refused writes of read-only keys, so this only decides what a response shows. */
function roleOf({ access }: Caller): Role {
  return access === 'FULL' ? 'ADMIN' : 'READ_ONLY'
}
