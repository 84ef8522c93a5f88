import { randomBytes } from 'node:crypto'
import { arrange, type Contents, namedMonitors } from '../../domain/status-pages/sections.ts'
import { slugCandidates } from '../../domain/status-pages/slug.ts'
import type { PageSettings, Section, StatusPage } from '../../domain/status-pages/status-page.ts'
import { allowanceRefusal } from '../../domain/values/plan.ts'
import { ApiError, validationError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { lockMonitors, saveSections } from '../../store/status-pages/sections.ts'
import * as pages from '../../store/status-pages/status-pages.ts'
import { refuseTaken, takenError } from './page-address.ts'

export type NewPage = Omit<PageSettings, 'slug'> & Contents & { slug?: string }

const RANDOM_ENDINGS = 3

/** Creates a page with its contents. Without a given slug, it gets the best free one. */
export async function createStatusPage(
  tx: TenantTx,
  sent: NewPage,
  passwordHash: string | null = null,
): Promise<StatusPage> {
  const settings = { ...sent, customDomain: sent.customDomain?.toLowerCase() ?? null }

  const { limits } = await lockUsage(tx)
  const sections = await firstSections(tx, sent)
  await refuseTaken(tx, { slug: sent.slug, customDomain: settings.customDomain }, null)
  const inUse = await pages.countPages(tx)
  const refusal = allowanceRefusal('status pages', limits.statusPages, inUse)
  if (refusal !== undefined) throw new ApiError('plan_limit', refusal)

  const uuid = tx.newUuid()
  for (const slug of await freeSlugs(tx, sent)) {
    if (!(await pages.insertPage(tx, uuid, { ...settings, slug }, passwordHash))) continue
    await saveSections(tx, uuid, sections)
    const page = await pages.findPage(tx, uuid)
    if (page === undefined) throw new Error('The status page was not inserted')
    return page
  }
  throw takenError('slug')
}

async function firstSections(tx: TenantTx, sent: NewPage): Promise<Section[]> {
  const monitorUuids = await lockMonitors(tx, namedMonitors(sent))
  const newUuid = () => tx.newUuid()
  const arranged = arrange(sent, { sections: [], monitorUuids, newUuid })
  if (arranged && arranged.problems.length > 0) throw validationError(arranged.problems)
  return arranged?.sections ?? []
}

async function freeSlugs(tx: TenantTx, { name, slug }: NewPage): Promise<string[]> {
  if (slug !== undefined) return [slug]
  const endings = Array.from({ length: RANDOM_ENDINGS }, () => randomBytes(4).toString('hex'))
  const candidates = slugCandidates(name, endings)
  const taken = await pages.findTakenAddresses(tx, candidates, null)
  return candidates.filter((candidate) => !taken.has(candidate))
}
