// Signing in and out, and where a visitor stands.
import { giveSecondFactor } from '../../../actions/people/give-second-factor.ts'
import type { Opened } from '../../../actions/people/open-session.ts'
import { signIn } from '../../../actions/people/sign-in.ts'
import * as contract from '../../../contract/private/account.ts'
import { passwordProblem } from '../../../domain/people/sign-in.ts'
import { validationError } from '../../../platform/api-error.ts'
import { hashToken } from '../../../platform/crypto/token.ts'
import type { PeopleSecrets } from '../../../store/people/people-secrets.ts'
import { deleteByToken, findSession } from '../../../store/people/sessions.ts'
import { isSetupOpen } from '../../../store/people/setup.ts'
import { type AppBound, type AppHandler, bindApp, type Visiting } from '../bind.ts'

type Step = 'SET_UP' | 'SIGN_IN' | 'SECOND_FACTOR' | 'SIGNED_IN'
export type MakeStanding = (step: Step) => {
  step: Step
  identityProvider: string | null
  canMail: boolean
}

type SignInDeps = { peopleSecrets: PeopleSecrets; standing: MakeStanding }

export function signInOperations({ peopleSecrets, standing }: SignInDeps): readonly AppBound[] {
  const getStanding: AppHandler<typeof contract.getStanding> = async (_input, visit) =>
    standing(await stepOf(visit))

  const doSignIn: AppHandler<typeof contract.signIn> = async ({ body }, visit) =>
    standing(enter(visit, await signIn(visit.people, body, fromOf(visit))))

  const giveFactor: AppHandler<typeof contract.giveSecondFactor> = async ({ body }, visit) => {
    const opened = await giveSecondFactor(visit.people, peopleSecrets, body.code, fromOf(visit))
    return standing(enter(visit, opened))
  }

  return [
    bindApp(contract.getStanding, getStanding),
    bindApp(contract.signIn, doSignIn),
    bindApp(contract.giveSecondFactor, giveFactor),
    bindApp(contract.signOut, signOut),
  ]
}

const signOut: AppHandler<typeof contract.signOut> = async (_input, visit) => {
  if (visit.token !== undefined) await deleteByToken(visit.people, hashToken(visit.token))
  visit.signOut()
  return {}
}

async function stepOf({ people, token }: Visiting): Promise<Step> {
  const found = token && (await findSession(people, hashToken(token), null))
  if (found) return found.session.complete ? 'SIGNED_IN' : 'SECOND_FACTOR'
  return (await isSetupOpen(people)) ? 'SET_UP' : 'SIGN_IN'
}

export const fromOf = ({ address, agent, token, device }: Visiting) => ({
  address,
  agent,
  oldToken: token,
  device,
})

/** Hands over the cookie of a session that was opened. */
export function enter(visit: Visiting, opened: Opened): Step {
  visit.signIn(opened)
  return opened.complete ? 'SIGNED_IN' : 'SECOND_FACTOR'
}

export function refuseWeak(password: string, email: string): void {
  const message = passwordProblem(password, { email })
  if (message !== undefined) throw validationError([{ path: 'password', message }])
}
