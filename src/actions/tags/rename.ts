import { splitByKnown, type Tag } from '../../domain/monitors/tag.ts'
import type { Change } from '../../domain/people/audit-entry.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { type ListedTag, listTags, renameTag as saveName } from '../../store/monitors/tags.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { tagExists } from './create.ts'

export async function renameTag(tx: TenantTx, wish: Tag): Promise<Change<ListedTag> | undefined> {
  await lockUsage(tx)
  const known = await listTags(tx)
  const tag = known.find(({ uuid }) => uuid === wish.uuid)
  if (tag === undefined) return undefined
  const [same] = splitByKnown([wish.name], known).tags
  if (same !== undefined && same.uuid !== tag.uuid) throw tagExists(same)
  await saveName(tx, wish)
  return { before: tag, after: { ...tag, name: wish.name } }
}
