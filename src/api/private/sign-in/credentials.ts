// Credentials besides a password: a second factor, and an account at an identity provider.

import * as secondFactor from '../../../actions/people/change-second-factor.ts'
import { proveAgain } from '../../../actions/people/prove-again.ts'
import { unlinkIdentity } from '../../../actions/people/unlink-identity.ts'
import * as contract from '../../../contract/private/account.ts'
import { toBase32, totpAddress } from '../../../domain/people/totp.ts'
import { PATHS } from '../../../domain/values/dashboard-paths.ts'
import { ApiError } from '../../../platform/api-error.ts'
import type { PeopleSecrets } from '../../../store/people/people-secrets.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'
import { userOf } from '../session-user.ts'
import type { NotifyOwner } from './account-notices.ts'
import type { IdentityProvider } from './identity-provider.ts'
import type { ProviderFlows } from './provider-flow.ts'
import { clientOf, startSession } from './sign-in.ts'

type CredentialDeps = {
  secrets: PeopleSecrets
  flows: ProviderFlows
  provider: IdentityProvider | undefined
  notifyOwner: NotifyOwner
}

export function credentialOperations(deps: CredentialDeps): readonly BoundOperation[] {
  return [...secondFactorOperations(deps), ...identityOperations(deps)]
}

function secondFactorOperations({
  secrets,
  notifyOwner,
}: CredentialDeps): readonly BoundOperation[] {
  const begin: Handler<typeof contract.beginSecondFactor> = async ({ body }, visit) => {
    const { people } = visit
    const user = await userOf(visit)
    await proveAgain(people, user, body.current, visit)
    const seed = await secondFactor.beginSecondFactor({ people, secrets }, user.uuid)
    return { secret: toBase32(seed), address: totpAddress(seed, user.email) }
  }

  const confirm: Handler<typeof contract.confirmSecondFactor> = async ({ body }, visit) => {
    const { people, session } = visit
    const given = { userUuid: session.user.uuid, code: body.code }
    const deps = { people, secrets }
    const { codes, opened } = await secondFactor.confirmSecondFactor(deps, given, clientOf(visit))
    startSession(visit, opened)
    await notifyOwner(visit, session.user.uuid, 'SECOND_FACTOR_ON')
    return { recoveryCodes: codes }
  }

  const remove: Handler<typeof contract.removeSecondFactor> = async ({ body }, visit) => {
    const { people, session } = visit
    const given = { userUuid: session.user.uuid, code: body.code }
    startSession(
      visit,
      await secondFactor.removeSecondFactor({ people, secrets }, given, clientOf(visit)),
    )
    await notifyOwner(visit, session.user.uuid, 'SECOND_FACTOR_OFF')
    return {}
  }

  return [
    bind(contract.beginSecondFactor, begin),
    bind(contract.confirmSecondFactor, confirm),
    bind(contract.removeSecondFactor, remove),
  ]
}

function identityOperations({
  flows,
  provider,
  notifyOwner,
}: CredentialDeps): readonly BoundOperation[] {
  const link: Handler<typeof contract.linkIdentity> = async ({ body }, visit) => {
    if (provider === undefined) throw notConfigured()
    const user = await userOf(visit)
    await proveAgain(visit.people, user, body.current, visit)
    const wish = { returnTo: PATHS.account, linkTo: user.uuid }
    const { flow, cookie } = await flows.begin(visit.people, wish)
    const address = await provider.begin(flow)
    if (typeof address !== 'string')
      throw new ApiError('conflict', `${provider.name} cannot be reached. Try again later.`)
    visit.setCookie(cookie)
    return { address }
  }

  const unlink: Handler<typeof contract.unlinkIdentity> = async (_input, visit) => {
    if (provider === undefined) throw notConfigured()
    await unlinkIdentity(visit.people, visit.session.user.uuid, provider)
    await notifyOwner(visit, visit.session.user.uuid, 'IDENTITY_UNLINKED')
    return {}
  }

  return [bind(contract.linkIdentity, link), bind(contract.unlinkIdentity, unlink)]
}

const notConfigured = () => new ApiError('not_found', 'No identity provider is configured.')
