import * as contract from '../../contract/private/sources/managed.ts'
import { toResource, toResourceId } from '../../domain/sources/binding.ts'
import { listPlaces } from '../../store/sources/bindings.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'

const list: Handler<typeof contract.listManagedResources> = async ({ query }, context) => {
  const uuids = query.id.flatMap((id) => toResource(id)?.uuid ?? [])
  const places = await listPlaces(context.tenant, uuids)
  return {
    data: places.map(({ resource, source, address }) => ({
      id: toResourceId(resource),
      source,
      address,
    })),
  }
}

export const managedResourceOperations: readonly BoundOperation[] = [
  bind(contract.listManagedResources, list),
]
