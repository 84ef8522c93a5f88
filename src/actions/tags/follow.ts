import type { Tag } from '../../domain/monitors/tag.ts'
import type { Change } from '../../domain/people/audit-entry.ts'
import { MAX_COMPONENTS } from '../../domain/status-pages/sections.ts'
import type { StatusPage } from '../../domain/status-pages/status-page.ts'
import { ApiError, notFound } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { listTags } from '../../store/monitors/tags.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import {
  type FollowedSection,
  findSectionTags,
  setSectionTag,
} from '../../store/status-pages/followed-tags.ts'
import { findPage, lockPage } from '../../store/status-pages/status-pages.ts'
import { syncFollowingSections } from './sync-pages.ts'

/** A page, and the tags that its sections follow. */
export type FollowingPage = { page: StatusPage; tags: readonly Tag[] }

/** A null tag ends it; the section keeps its components. */
type Wish = { tagUuid: string | null; expected: number }

/**
 * Makes a section show the monitors of a tag. `expected` is how many the person was shown: if there are more by now,
 * their names would become public unseen.
 */
export async function followTag(
  tx: TenantTx,
  section: FollowedSection,
  { tagUuid, expected }: Wish,
): Promise<Change<FollowingPage>> {
  await lockUsage(tx)
  const page = await lockPage(tx, section.pageUuid)
  if (page === undefined) throw notFound('status page')
  const before = await withTags(tx, page)
  if (tagUuid !== null) await refuseUnseen(tx, tagUuid, expected, roomIn(page, section))
  if (!(await setSectionTag(tx, section, tagUuid))) throw notFound('section')
  if (tagUuid !== null) await syncFollowingSections(tx)
  const changed = await findPage(tx, section.pageUuid)
  return { before, after: await withTags(tx, changed ?? page) }
}

const withTags = async (tx: TenantTx, page: StatusPage): Promise<FollowingPage> => ({
  page,
  tags: [...(await findSectionTags(tx, [page.uuid])).values()],
})

async function refuseUnseen(
  tx: TenantTx,
  tagUuid: string,
  expected: number,
  room: number,
): Promise<void> {
  const tag = (await listTags(tx)).find(({ uuid }) => uuid === tagUuid)
  if (tag === undefined) throw notFound('tag')
  if (tag.monitors > expected)
    throw new ApiError(
      'conflict',
      `By now ${tag.monitors} monitors have this tag, not ${expected}.`,
    )
  if (tag.monitors > room)
    throw new ApiError('conflict', `A page has at most ${MAX_COMPONENTS} components.`)
}

/** The components of the section that stay are those set by hand. */
function roomIn({ sections }: StatusPage, { sectionUuid }: FollowedSection): number {
  const staying = sections.flatMap(({ uuid, components }) =>
    uuid === sectionUuid ? components.filter((one) => one.monitorUuid === null) : components,
  )
  return MAX_COMPONENTS - staying.length
}
