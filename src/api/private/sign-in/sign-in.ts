// Signing in and out, and a visitor's sign-in status.

import type { OpenedSession } from '../../../actions/people/open-session.ts'
import { signIn } from '../../../actions/people/sign-in.ts'
import { verifySecondFactor } from '../../../actions/people/verify-second-factor.ts'
import * as contract from '../../../contract/private/account.ts'
import { type SecondFactorKind, secondFactorsOf } from '../../../domain/people/second-factor.ts'
import { passwordProblem } from '../../../domain/people/sign-in.ts'
import { validationError } from '../../../platform/api-error.ts'
import { hashToken } from '../../../platform/crypto/token.ts'
import type { Database } from '../../../store/core/db.ts'
import type { PeopleSecrets } from '../../../store/people/people-secrets.ts'
import { deleteByToken, findSession } from '../../../store/people/sessions.ts'
import { isSetupOpen } from '../../../store/people/setup.ts'
import { findUser } from '../../../store/people/users.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'
import type { VisitorContext } from '../../http/contexts.ts'

type SignInStep = 'SET_UP' | 'SIGN_IN' | 'SECOND_FACTOR' | 'SIGNED_IN'
export type ToSignInStatus = (
  step: SignInStep,
  secondFactors?: SecondFactorKind[],
) => {
  step: SignInStep
  identityProvider: string | null
  canMail: boolean
  canPasskey: boolean
  secondFactors: SecondFactorKind[]
}

type SignInDeps = { peopleSecrets: PeopleSecrets; toSignInStatus: ToSignInStatus }

export function signInOperations({
  peopleSecrets,
  toSignInStatus,
}: SignInDeps): readonly BoundOperation[] {
  const getSignInStatus: Handler<typeof contract.getSignInStatus> = async (_input, visit) =>
    toSignInStatus(...(await stepOf(visit)))

  const doSignIn: Handler<typeof contract.signIn> = async ({ body }, visit) => {
    const opened = await signIn(visit.people, body, clientOf(visit))
    const step = startSession(visit, opened)
    return toSignInStatus(step, await factorsOf(visit.people, step, opened.userUuid))
  }

  const verifyFactor: Handler<typeof contract.verifySecondFactor> = async ({ body }, visit) => {
    const opened = await verifySecondFactor(visit.people, peopleSecrets, body.code, clientOf(visit))
    return toSignInStatus(startSession(visit, opened))
  }

  return [
    bind(contract.getSignInStatus, getSignInStatus),
    bind(contract.signIn, doSignIn),
    bind(contract.verifySecondFactor, verifyFactor),
    bind(contract.signOut, signOut),
  ]
}

const signOut: Handler<typeof contract.signOut> = async (_input, visit) => {
  if (visit.token !== undefined) await deleteByToken(visit.people, hashToken(visit.token))
  visit.signOut()
  return {}
}

async function stepOf({
  people,
  token,
}: VisitorContext): Promise<[step: SignInStep, secondFactors: SecondFactorKind[]]> {
  const found = token && (await findSession(people, hashToken(token), null))
  if (!found) return [(await isSetupOpen(people)) ? 'SET_UP' : 'SIGN_IN', []]
  const step = found.session.complete ? 'SIGNED_IN' : 'SECOND_FACTOR'
  return [step, await factorsOf(people, step, found.session.user.uuid)]
}

/** Only for a person who has proved their password. */
async function factorsOf(
  people: Database,
  step: SignInStep,
  userUuid: string,
): Promise<SecondFactorKind[]> {
  const user = step === 'SECOND_FACTOR' ? await findUser(people, userUuid) : undefined
  return user ? secondFactorsOf(user) : []
}

export const clientOf = ({ address, agent, token, device }: VisitorContext) => ({
  address,
  agent,
  oldToken: token,
  device,
})

/** Sets the cookie of a newly opened session. */
export function startSession(visit: VisitorContext, opened: OpenedSession): SignInStep {
  visit.signIn(opened)
  return opened.complete ? 'SIGNED_IN' : 'SECOND_FACTOR'
}

export function requireStrongPassword(password: string, email: string): void {
  const message = passwordProblem(password, { email })
  if (message !== undefined) throw validationError([{ path: 'password', message }])
}
