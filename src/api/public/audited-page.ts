// What the audit log compares of a status page.
import type { AuditedFields } from '../../domain/people/audit-entry.ts'
import { PAGE_SETTINGS, type StatusPage } from '../../domain/status-pages/status-page.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { findSectionTags } from '../../store/status-pages/followed-tags.ts'
import { findPage } from '../../store/status-pages/status-pages.ts'
import { type Audited, auditedById, plain, plainFields } from '../http/audited.ts'

export const AUDITED_PAGE: Audited = {
  ...auditedById('sp', readPage),
  given: ({ password }) => (password === undefined ? [] : [{ field: 'password' }]),
}

/** What is published by a followed tag is in `sections`. */
export const AUDITED_FOLLOWING: Audited = auditedById('sp', async (tx, uuid) => {
  const page = await readPage(tx, uuid)
  const tags = await findSectionTags(tx, [uuid])
  const { sections = plain(null) } = page ?? {}
  return page && { sections, followedTags: plain([...tags.values()].map(({ name }) => name)) }
})

async function readPage(tx: TenantTx, uuid: string): Promise<AuditedFields | undefined> {
  const page = await findPage(tx, uuid)
  if (page === undefined) return undefined
  const { sections } = page
  return {
    ...plainFields(page, PAGE_SETTINGS),
    passwordProtected: plain(page.passwordProtected),
    sections: {
      value: sections.map(toSectionSettings),
      shown: sections.map(sectionText).join('; '),
    },
  }
}

type ShownSection = StatusPage['sections'][number]

/** Without states, which change by themselves. */
function toSectionSettings({ name, collapsed, components }: ShownSection) {
  const settings = components.map(({ name: own, description, monitorUuid, manualState }) => [
    own,
    description,
    monitorUuid,
    manualState,
  ])
  return { name, collapsed, settings }
}

function sectionText({ name, components }: ShownSection): string {
  const names = components.map((component) => component.name ?? component.monitorName ?? '')
  return `${name ?? 'Untitled section'}: ${names.join(', ')}`
}
