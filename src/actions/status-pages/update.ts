import type { Change } from '../../domain/people/audit-entry.ts'
import { hiddenOutages } from '../../domain/status-pages/ledger.ts'
import {
  arrange,
  type Contents,
  namedMonitors,
  sectionsDiffer,
} from '../../domain/status-pages/sections.ts'
import {
  PAGE_SETTINGS,
  type PageSettings,
  type Section,
  type StatusPage,
} from '../../domain/status-pages/status-page.ts'
import { validationError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { insertOverrides } from '../../store/status-pages/ledger.ts'
import { lockMonitors, saveSections } from '../../store/status-pages/sections.ts'
import * as pages from '../../store/status-pages/status-pages.ts'
import { syncFollowingSections } from '../tags/sync-pages.ts'
import { refuseTaken, takenError } from './page-address.ts'

export type PagePatch = Partial<PageSettings> & Contents

/**
 * Changes the given fields and keeps the rest. Does nothing if nothing differs. `passwordHash`: undefined keeps the
 * password, null removes it.
 */
export async function updateStatusPage(
  tx: TenantTx,
  uuid: string,
  sent: PagePatch,
  passwordHash?: string | null,
): Promise<Change<StatusPage> | undefined> {
  await lockUsage(tx)
  const before = await pages.lockPage(tx, uuid)
  if (before === undefined) return undefined
  const sections = await newSections(tx, before, sent)
  const settings = overlaid(before, sent)

  const changed = {
    settings: settingsDiffer(before, settings),
    sections: sectionsDiffer(before.sections, sections),
    password: passwordHash !== undefined && (passwordHash !== null || before.passwordProtected),
  }
  if (!Object.values(changed).includes(true)) return { before, after: before }
  await refuseTakenByOthers(tx, before, settings)

  if (!(await pages.updatePage(tx, uuid, settings))) throw takenError('slug')
  if (changed.sections) {
    await insertOverrides(tx, uuid, hiddenOutages(before.sections, sections))
    await saveSections(tx, uuid, sections)
    await syncFollowingSections(tx)
  }
  if (changed.password) await pages.setPasswordHash(tx, uuid, passwordHash ?? null)
  const after = await pages.findPage(tx, uuid)
  return after && { before, after }
}

async function newSections(tx: TenantTx, before: StatusPage, sent: PagePatch): Promise<Section[]> {
  const { sections } = before
  const monitorUuids = await lockMonitors(tx, namedMonitors(sent))
  const arranged = arrange(sent, { sections, monitorUuids, newUuid: () => tx.newUuid() })
  if (arranged && arranged.problems.length > 0) throw validationError(arranged.problems)
  return arranged?.sections ?? sections
}

async function refuseTakenByOthers(tx: TenantTx, before: StatusPage, after: PageSettings) {
  const slug = after.slug === before.slug ? undefined : after.slug
  const customDomain = after.customDomain === before.customDomain ? null : after.customDomain
  await refuseTaken(tx, { slug, customDomain }, before.uuid)
}

function overlaid(before: StatusPage, sent: PagePatch): PageSettings {
  const merged = { ...before, ...sent }
  return { ...merged, customDomain: merged.customDomain?.toLowerCase() ?? null }
}

function settingsDiffer(before: PageSettings, after: PageSettings): boolean {
  return PAGE_SETTINGS.some((name) => before[name] !== after[name])
}
