import { putBindings } from '../../actions/sources/put-bindings.ts'
import * as contract from '../../contract/ext/sources.ts'
import {
  type Binding,
  type BindingWish,
  bindingProblems,
  LATEST_CHANGES,
  sourceProblems,
  toResourceId,
} from '../../domain/sources/binding.ts'
import type { Problem } from '../../domain/values/problem.ts'
import { notFound, validationError } from '../../platform/api-error.ts'
import { findLastChanges } from '../../store/people/audit-log.ts'
import {
  deleteSource,
  findSource,
  listBindings,
  listSourceNames,
} from '../../store/sources/bindings.ts'
import {
  type BoundOperation,
  bind,
  bindPrepared,
  type Handler,
  type Preparation,
} from '../http/bind.ts'

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
    updatedAt: found?.updatedAt.toISOString() ?? null,
    bindings: bindings.map((binding) => {
      const shown = toApiBinding(binding, isFull)
      const { at, by } = changes.get(shown.id ?? '') ?? {}
      const lastChange = at && by !== undefined ? { at: at.toISOString(), by } : null
      return { ...shown, lastChange }
    }),
    otherSources: names.filter((name) => name !== source),
  }
}

type Put = Preparation<typeof contract.putSourceBindings, void>

// Before anything is looked up by it.
const judgeName: Put['prepare'] = async ({ params }) => refuseName(params.source)

const put: Put['write'] = async ({ params, body }, { tx }) => {
  const { source } = params
  const { changed, removed, revision } = await putBindings(tx, source, body)
  return {
    source,
    revision,
    updatedAt: tx.now.toISOString(),
    changed: changed.map((binding) => toApiBinding(binding, true)),
    removed: removed.length,
  }
}

const remove: Handler<typeof contract.deleteSource> = async ({ params }, { tx }) => {
  refuseName(params.source)
  if (!(await deleteSource(tx, params.source))) throw notFound('source')
  return { data: { id: params.source } }
}

export const sourceOperations: readonly BoundOperation[] = [
  bind(contract.getSourceBindings, get),
  bindPrepared(contract.putSourceBindings, { prepare: judgeName, write: put }, putRules),
  bind(contract.deleteSource, remove),
]

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
