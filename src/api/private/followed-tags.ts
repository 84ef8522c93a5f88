import { followTag } from '../../actions/tags/follow.ts'
import * as contract from '../../contract/private/monitors/followed-tags.ts'
import { fromPublicId, toPublicId } from '../../domain/values/id.ts'
import { notFound } from '../../platform/api-error.ts'
import { bind, type Handler } from '../http/bind.ts'
import { AUDITED_FOLLOWING } from '../public/audited-page.ts'
import type { BoundPrivateOperation } from './bind.ts'

const follow: Handler<typeof contract.followTag> = async ({ params, body }, { tx }) => {
  const { statusPageId: pageUuid, sectionId: sectionUuid } = params
  const { tagId, expected } = body
  const tagUuid = tagId === null ? null : fromPublicId('tag', tagId)
  if (tagUuid === undefined) throw notFound('tag')
  await followTag(tx, { pageUuid, sectionUuid }, { tagUuid, expected })
  return { sectionId: toPublicId('sec', sectionUuid), tagId }
}

export const followedTagOperations: readonly BoundPrivateOperation[] = [
  bind(contract.followTag, follow, { audited: AUDITED_FOLLOWING }),
]
