// What a member of an organization may do. Each role includes the permissions of those before it.

export const ROLES = ['READ_ONLY', 'MEMBER', 'ADMIN', 'OWNER'] as const
export type Role = (typeof ROLES)[number]

export function allows(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

/**
 * Members cannot grant more than their own role or change anyone above them. An organization keeps at least one owner.
 */
export function roleChangeRefusal(change: {
  by: Role
  from: Role | null
  to: Role | null
  owners: number
}): string | undefined {
  const { by, from, to, owners } = change
  if (from !== null && !allows(by, from)) return 'You cannot change a member above your own role.'
  if (to !== null && !allows(by, to)) return 'You cannot give a role above your own.'
  if (from === 'OWNER' && to !== 'OWNER' && owners <= 1)
    return 'An organization needs at least one owner.'
  return undefined
}
