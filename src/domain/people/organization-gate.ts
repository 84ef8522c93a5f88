// What stands between a member and their organization. It applies to every operation of the organization but those that
// lead out of it.

/** MOVE and DELETION: only until they are undone. SECOND_FACTOR: only for members who have none. */
export type Gate = 'MOVE' | 'DELETION' | 'SECOND_FACTOR'

type Facts = {
  /** Whether an owner requested its deletion. */
  isDeleting: boolean
  /** Whether the operator moves it to another installation. It then also counts as deleted. */
  isMoving: boolean
  requiresSecondFactor: boolean
  hasSecondFactor: boolean
}

/** The gates that are closed for a member, in the order in which they are told. */
export function closedGates(facts: Facts): Gate[] {
  const gates: Gate[] = []
  if (facts.isMoving) gates.push('MOVE')
  if (facts.requiresSecondFactor && !facts.hasSecondFactor) gates.push('SECOND_FACTOR')
  if (facts.isDeleting) gates.push('DELETION')
  return gates
}

const REFUSALS: Record<Gate, string> = {
  MOVE: 'This organization is being moved to another installation. Try again in a few minutes.',
  SECOND_FACTOR: 'This organization requires two-factor authentication. Set it up first.',
  DELETION: 'This organization is being deleted.',
}

/** `passes`: the gates that do not stop this operation. */
export function gateRefusal(facts: Facts, passes: readonly Gate[] = []): string | undefined {
  const closed = closedGates(facts).find((gate) => !passes.includes(gate))
  return closed && REFUSALS[closed]
}

/** Why a member cannot turn the requirement on: it would lock them out. Turning it off is always possible. */
export function requirementRefusal(change: {
  isRequired: boolean
  hasSecondFactor: boolean
}): string | undefined {
  if (!change.isRequired || change.hasSecondFactor) return undefined
  return 'Set up two-factor authentication for your own account first.'
}
