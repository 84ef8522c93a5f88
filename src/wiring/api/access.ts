// What signing in, joining and accounts need.
import { keyRecoveryCodes } from '../../actions/people/key-recovery-codes.ts'
import { createOwnerNotifier } from '../../api/private/sign-in/account-notices.ts'
import type { SignInDeps } from '../../api/private/sign-in/operations.ts'
import { providerFlows } from '../../api/private/sign-in/provider-flow.ts'
import { Background } from '../../platform/process/background.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import type { Tenants } from '../../store/core/tenants.ts'
import { PeopleSecrets } from '../../store/people/people-secrets.ts'
import type { Context } from '../context.ts'
import { openProvider } from './identity-provider.ts'

type Deps = { tenants: Tenants; secrets: OrganizationSecrets }

export async function openAccess(
  context: Context,
  people: Database,
  { tenants, secrets }: Deps,
): Promise<SignInDeps> {
  const { config, log } = context
  const { baseUrl, oidc, smtp } = config
  const background = new Background(log)
  const peopleSecrets = new PeopleSecrets(config.masterKeys)
  await keyRecoveryCodes(people, peopleSecrets)
  return {
    tenants,
    config,
    log,
    organizationSecrets: secrets,
    peopleSecrets,
    background,
    flows: providerFlows(baseUrl, peopleSecrets),
    provider: oidc && openProvider(context, oidc),
    notifyOwner: createOwnerNotifier({ tenants, background, canMail: smtp !== undefined }),
  }
}
