// What the audit log compares of a status page.
import type { AuditedField, AuditedFields } from '../../domain/people/audit-entry.ts'
import { PAGE_SETTINGS, type StatusPage } from '../../domain/status-pages/status-page.ts'
import { plain, plainFields } from '../http/audited.ts'

export function pageFields(page: StatusPage): AuditedFields {
  return {
    ...plainFields(page, PAGE_SETTINGS),
    passwordProtected: plain(page.passwordProtected),
    sections: sectionsField(page),
  }
}

export const sectionsField = ({ sections }: StatusPage): AuditedField => ({
  value: sections.map(toSectionSettings),
  shown: sections.map(sectionText).join('; '),
})

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
