// Who may see the operator's page and use what is on it.
import { isRecent, type Session } from './session.ts'

/** In the order in which they are told. STALE: a new sign-in, or a code, is enough. */
type OperatorRefusal = 'NO_OPERATOR' | 'NO_SECOND_FACTOR' | 'STALE'

type Standing = {
  isOperator: boolean
  hasSecondFactor: boolean
  session: Pick<Session, 'createdAt'>
  now: Date
}

export function operatorRefusal(standing: Standing): OperatorRefusal | undefined {
  const { isOperator, hasSecondFactor, session, now } = standing
  if (!isOperator) return 'NO_OPERATOR'
  if (!hasSecondFactor) return 'NO_SECOND_FACTOR'
  return isRecent(session, now) ? undefined : 'STALE'
}

export const OPERATOR_REFUSALS: Readonly<Record<OperatorRefusal, string>> = {
  NO_OPERATOR:
    'This is for operators of this installation. upvane operator add makes somebody one.',
  NO_SECOND_FACTOR:
    'Operators need two-factor authentication. Set up an authenticator app or a passkey in your account, then come back here.',
  STALE: 'You signed in too long ago for this. Give a code, or sign in again.',
}
