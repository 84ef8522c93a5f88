import { allows, type Role } from '../../../../src/domain/people/role.ts'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { paletteText } from '../../messages/palette.ts'
import type { Creation } from './entries.ts'

const { create } = paletteText

const CREATIONS: readonly (Creation & { needs: Role })[] = [
  { to: PATHS.newMonitor, label: create.monitor, shortcut: 'New monitor', needs: 'MEMBER' },
  { to: PATHS.newStatusIncident, label: create.incident, needs: 'MEMBER' },
  { to: PATHS.newWindow, label: create.window, shortcut: 'New window', needs: 'MEMBER' },
  { to: PATHS.newStatusPage, label: create.page, shortcut: 'New status page', needs: 'MEMBER' },
  { to: PATHS.newEndpoint, label: create.endpoint, shortcut: 'New endpoint', needs: 'MEMBER' },
  { to: PATHS.newContact, label: create.contact, shortcut: 'New contact', needs: 'ADMIN' },
  {
    to: PATHS.apiKeys,
    query: '?new=1',
    label: create.key,
    shortcut: 'New API key',
    needs: 'ADMIN',
  },
  { to: PATHS.team, query: '?invite=1', label: create.person, shortcut: 'Invite', needs: 'ADMIN' },
]

export const creationsFor = (role: Role): readonly Creation[] =>
  CREATIONS.filter(({ needs }) => allows(role, needs))
