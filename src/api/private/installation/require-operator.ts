import { OPERATOR_REFUSALS, operatorRefusal } from '../../../domain/people/operator.ts'
import type { Session } from '../../../domain/people/session.ts'
import { ApiError } from '../../../platform/api-error.ts'
import type { Db } from '../../../store/core/db.ts'
import { findOperatorStanding } from '../../../store/people/operators.ts'

/** Read for every request, so that a mark that was taken is gone with the next one. */
export async function requireOperator(people: Db, session: Session): Promise<void> {
  const standing = await findOperatorStanding(people, session.user.uuid)
  const refusal = standing ? operatorRefusal({ ...standing, session }) : 'NO_OPERATOR'
  if (refusal === undefined) return
  // The dashboard asks for a code then, instead of saying that it is not allowed.
  throw new ApiError(refusal === 'STALE' ? 'conflict' : 'forbidden', OPERATOR_REFUSALS[refusal])
}
