import type { Role } from '../../../src/domain/people/role.ts'

const LABELS: Record<Role, string> = {
  READ_ONLY: 'Read only',
  MEMBER: 'Member',
  ADMIN: 'Admin',
  OWNER: 'Owner',
}

export const roleLabel = (role: Role): string => LABELS[role]
