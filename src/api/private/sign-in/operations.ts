// How people sign in, join, and look after their own accounts.

import { passkeySiteOf } from '../../../domain/people/passkey.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Log } from '../../../platform/observability/log.ts'
import type { Background } from '../../../platform/process/background.ts'
import type { OrganizationSecrets } from '../../../store/core/organization-secrets.ts'
import type { Tenants } from '../../../store/core/tenants.ts'
import type { PeopleSecrets } from '../../../store/people/people-secrets.ts'
import type { BoundOperation } from '../../http/bind.ts'
import { accountOperations } from './account.ts'
import type { NotifyOwner } from './account-notices.ts'
import { credentialOperations } from './credentials.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { joiningOperations } from './joining.ts'
import { passkeyOperations } from './passkeys.ts'
import type { ProviderFlows } from './provider-flow.ts'
import { signInOperations, type ToSignInStatus } from './sign-in.ts'

export type SignInDeps = {
  config: Config
  log: Log
  tenants: Tenants
  organizationSecrets: OrganizationSecrets
  peopleSecrets: PeopleSecrets
  background: Background
  /** Undefined if none is configured. */
  provider: IdentityProvider | undefined
  flows: ProviderFlows
  notifyOwner: NotifyOwner
}

export function accessOperations(deps: SignInDeps): readonly BoundOperation[] {
  const { config, provider, peopleSecrets } = deps
  const { baseUrl } = config
  const canMail = config.smtp !== undefined
  const offers = {
    identityProvider: provider?.name ?? null,
    canMail,
    canPasskey: passkeySiteOf(baseUrl) !== undefined,
  }
  const toSignInStatus: ToSignInStatus = (step, secondFactors = []) => ({
    ...offers,
    step,
    secondFactors,
  })
  const shared = { ...deps, canMail, toSignInStatus }
  return [
    ...signInOperations(shared),
    ...accountOperations({ ...shared, issuer: provider?.issuer }),
    ...credentialOperations({ ...shared, secrets: peopleSecrets }),
    ...passkeyOperations({ ...shared, baseUrl }),
    ...joiningOperations(shared),
  ]
}
