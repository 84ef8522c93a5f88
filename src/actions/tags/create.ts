import { splitByKnown, type Tag } from '../../domain/monitors/tag.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { listTags } from '../../store/monitors/tags.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { findOrCreateTags } from './find-or-create.ts'

export async function createTag(tx: TenantTx, name: string): Promise<Tag> {
  await lockUsage(tx)
  const [same] = splitByKnown([name], await listTags(tx)).tags
  if (same !== undefined) throw tagExists(same)
  const [tag] = await findOrCreateTags(tx, [name])
  if (tag === undefined) throw new Error('The tag was not inserted')
  return tag
}

export const tagExists = ({ name }: Tag): ApiError =>
  new ApiError('conflict', `There is already a tag "${name}".`)
