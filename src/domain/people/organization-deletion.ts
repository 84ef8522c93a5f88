// An owner deletes an organization. For seven days nothing of it works and an owner can undo it; then it is erased.

const GRACE_DAYS = 7
const DAY_MS = 86_400_000

/** Null: no deletion was requested. */
type Deletion = { eraseAt: Date | null }

export const eraseAtOf = (requestedAt: Date): Date =>
  new Date(requestedAt.getTime() + GRACE_DAYS * DAY_MS)

/** The name must be typed as it is shown; spaces around it do not matter. */
export function isConfirmedBy(typed: string, name: string): boolean {
  return typed.trim().normalize() === name.trim().normalize()
}

/** Why a deletion cannot be requested. */
export function deletionRefusal({ eraseAt }: Deletion): string | undefined {
  return eraseAt === null ? undefined : 'This organization is already being deleted.'
}

/** Why a deletion cannot be undone. */
export function undoRefusal({ eraseAt }: Deletion, now: Date): string | undefined {
  if (eraseAt === null) return 'This organization is not being deleted.'
  return now < eraseAt ? undefined : 'The organization is already being erased.'
}
