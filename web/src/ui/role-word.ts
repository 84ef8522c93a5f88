import type { Role } from '../../../src/domain/people/role.ts'

const WORDS: Record<Role, string> = {
  READ_ONLY: 'Read only',
  MEMBER: 'Member',
  ADMIN: 'Admin',
  OWNER: 'Owner',
}

export const roleWord = (role: Role): string => WORDS[role]
