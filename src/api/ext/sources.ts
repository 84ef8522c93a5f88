import { limitRequests } from '../../actions/people/limit-tries.ts'
import { putBindings } from '../../actions/sources/put-bindings.ts'
import * as contract from '../../contract/ext/sources.ts'
import {
  type Binding,
  type BindingWish,
  bindingProblems,
  LATEST_CHANGES,
  MAX_ECHOED,
  shownChanges,
  sourceProblems,
  toResourceId,
} from '../../domain/sources/binding.ts'
import type { Problem } from '../../domain/values/problem.ts'
import { notFound, validationError } from '../../platform/api-error.ts'
import { findLastChanges } from '../../store/people/audit-log.ts'
import { subjectOf } from '../../store/people/sign-in-windows.ts'
import {
  deleteSource,
  findSource,
  listBindings,
  listGeneration,
  listSourceNames,
} from '../../store/sources/bindings.ts'
import { compared, plain } from '../http/audited.ts'
import { type BoundOperation, bind, type Handler, type Kept, type Prepare } from '../http/bind.ts'
import type { PeopleFor } from './served-to-keys.ts'

const get: Handler<typeof contract.getSourceBindings> = async ({ params }, context) => {
  const { tenant, caller } = context
  const { source } = params
  refuseName(source)
  const found = await findSource(tenant, source)
  const bindings = found === undefined ? [] : await listBindings(tenant, source)
  const isFull = caller.access === 'FULL'
  const ids = bindings.flatMap(({ resource }) => (resource === null ? [] : toResourceId(resource)))
  const changes = await findLastChanges(tenant, isFull ? ids : [], LATEST_CHANGES)
  const names = await listSourceNames(tenant)
  return {
    source,
    revision: found?.revision ?? 0,
    updatedAt: found?.updatedAt ?? null,
    bindings: bindings.map((binding) => {
      const shown = toApiBinding(binding, isFull)
      const { at, by } = changes.get(shown.id ?? '') ?? {}
      const lastChange = at && by !== undefined ? { at, by } : null
      return { ...shown, lastChange }
    }),
    otherSources: names.filter((name) => name !== source),
  }
}

type Put = typeof contract.putSourceBindings

// Per organization in 15 minutes, of those that write many rows: applying a file with 5,000 resources takes 100.
const MANY_BINDINGS = 1_000
const MAX_LARGE = 150

/** Before anything is looked up by the name. */
const prepareFor =
  (peopleFor: PeopleFor): Prepare<Put> =>
  async ({ params, body }, { tenant }) => {
    refuseName(params.source)
    if (body.bindings.length <= MANY_BINDINGS) return
    const subject = subjectOf('bindings', tenant.orgId)
    await limitRequests(peopleFor(tenant.orgId), [{ subject, limit: MAX_LARGE }])
  }

const put: Handler<Put> = async ({ params, body }, { tx }) => {
  const { source } = params
  const change = await putBindings(tx, source, body)
  const output = {
    source,
    revision: change.revision,
    updatedAt: tx.now,
    changed: shownChanges(change).map((binding) => toApiBinding(binding, true)),
    removed: change.removed.length,
  }
  return compared(output, change.count, (bindings) => ({ bindings: plain(bindings) }))
}

// Thousands of new bindings are a megabyte, which is in the database already: all of them have the new revision as their
// generation.
const kept: Kept<typeof contract.putSourceBindings> = {
  shorten: (output) => (output.changed.length > MAX_ECHOED ? { ...output, changed: [] } : output),
  async complete(output, tx) {
    if (output.changed.length > 0) return output
    const { source, revision } = output
    const renewed = await listGeneration(tx, source, revision)
    return { ...output, changed: renewed.map((binding) => toApiBinding(binding, true)) }
  },
}

const remove: Handler<typeof contract.deleteSource> = async ({ params }, { tx }) => {
  refuseName(params.source)
  if (!(await deleteSource(tx, params.source))) throw notFound('source')
  return { data: { id: params.source } }
}

export function sourceOperations(peopleFor: PeopleFor): readonly BoundOperation[] {
  return [
    bind(contract.getSourceBindings, get),
    bind(contract.putSourceBindings, put, {
      rules: putRules,
      prepare: prepareFor(peopleFor),
      kept,
    }),
    bind(contract.deleteSource, remove),
  ]
}

function refuseName(source: string): void {
  const problems = sourceProblems(source)
  if (problems.length > 0) throw validationError(problems)
}

function putRules({ bindings }: Record<string, unknown>): Problem[] {
  // Safe because a list that is invalid on its own is missing here.
  return bindings === undefined ? [] : bindingProblems(bindings as BindingWish[])
}

function toApiBinding({ address, resource, generation, digest }: Binding, showsDigest: boolean) {
  return {
    address,
    id: resource && toResourceId(resource),
    generation,
    digest: showsDigest ? digest : null,
  }
}
