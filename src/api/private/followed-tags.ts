import { type FollowingPage, followTag } from '../../actions/tags/follow.ts'
import * as contract from '../../contract/private/monitors/followed-tags.ts'
import { fromPublicId, toPublicId } from '../../domain/values/id.ts'
import { notFound } from '../../platform/api-error.ts'
import { compared, plain } from '../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'
import { sectionsField } from '../public/audited-page.ts'

const follow: Handler<typeof contract.setSectionTag> = async ({ params, body }, { tx }) => {
  const { statusPageId: pageUuid, sectionId: sectionUuid } = params
  const { tagId, expected } = body
  const tagUuid = tagId === null ? null : fromPublicId('tag', tagId)
  if (tagUuid === undefined) throw notFound('tag')
  const change = await followTag(tx, { pageUuid, sectionUuid }, { tagUuid, expected })
  return compared({ sectionId: toPublicId('sec', sectionUuid), tagId }, change, followingFields)
}

/** What is published by a followed tag is in `sections`. */
const followingFields = ({ page, tags }: FollowingPage) => ({
  sections: sectionsField(page),
  followedTags: plain(tags.map(({ name }) => name)),
})

export const followedTagOperations: readonly BoundOperation[] = [
  bind(contract.setSectionTag, follow),
]
