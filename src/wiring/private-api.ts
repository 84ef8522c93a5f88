// The dashboard's private API, and the creation of the first account.

import { createRequestTrial } from '../actions/monitors/request-check.ts'
import { keyRecoveryCodes } from '../actions/people/key-recovery-codes.ts'
import { beginSetup, setUpFromConfig } from '../actions/people/set-up.ts'
import type { Admission } from '../actions/people/sign-in-by-provider.ts'
import type { PeopleFor } from '../api/ext/bind.ts'
import type { BoundOperation } from '../api/http/bind.ts'
import { Router } from '../api/http/router.ts'
import type { Surface } from '../api/http/surface.ts'
import { alertContactOperations } from '../api/private/alert-contacts.ts'
import { auditLogOperations } from '../api/private/audit-log.ts'
import {
  assertPrivateComplete,
  type BoundPrivateOperation,
  bindForMembers,
} from '../api/private/bind.ts'
import { testEmailOperation } from '../api/private/email-test.ts'
import { everythingOperation } from '../api/private/export-everything.ts'
import { followedTagOperations } from '../api/private/followed-tags.ts'
import { keyOperations } from '../api/private/keys.ts'
import { linkOperations } from '../api/private/links/links.ts'
import { managedResourceOperations } from '../api/private/managed-resources.ts'
import { monitorBulkOperations } from '../api/private/monitor-bulks.ts'
import { monitorImportOperations } from '../api/private/monitor-imports.ts'
import { monitorViewOperations } from '../api/private/monitor-views.ts'
import { organizationOperations } from '../api/private/organization.ts'
import { organizationSettingsOperations } from '../api/private/organization-settings.ts'
import { privateApi } from '../api/private/private-api.ts'
import { PrivateApiLimits } from '../api/private/private-api-limits.ts'
import { pushDeviceOperations } from '../api/private/push-devices.ts'
import { receiverTestOperations } from '../api/private/receiver-tests.ts'
import { regionOperations } from '../api/private/regions.ts'
import type { PreviewRenderer } from '../api/private/screens/pages.ts'
import { screenOperations } from '../api/private/screens/screens.ts'
import { accountOperations } from '../api/private/sign-in/account.ts'
import { createOwnerNotifier, type NotifyOwner } from '../api/private/sign-in/account-notices.ts'
import { credentialOperations } from '../api/private/sign-in/credentials.ts'
import { deviceCookies } from '../api/private/sign-in/device-cookie.ts'
import type { IdentityProvider } from '../api/private/sign-in/identity-provider.ts'
import { joiningOperations } from '../api/private/sign-in/joining.ts'
import { passkeyOperations } from '../api/private/sign-in/passkeys.ts'
import { providerFlows } from '../api/private/sign-in/provider-flow.ts'
import {
  CALLBACK_PATH,
  PROVIDER_PREFIX,
  providerSurface,
} from '../api/private/sign-in/provider-surface.ts'
import { signInOperations, type ToSignInStatus } from '../api/private/sign-in/sign-in.ts'
import { tagOperations } from '../api/private/tags.ts'
import { tryMonitorOperation } from '../api/private/try-monitor.ts'
import { PRIVATE_OPERATIONS } from '../contract/private/operations.ts'
import { passkeySiteOf } from '../domain/people/passkey.ts'
import { passwordProblem } from '../domain/people/sign-in.ts'
import { PATHS } from '../domain/values/dashboard-paths.ts'
import { comparable, parseEmailAddress } from '../domain/values/email-address.ts'
import { fromPublicId } from '../domain/values/id.ts'
import { createReceiverTests, type ReceiverTests } from '../engine/delivery/receiver-tests.ts'
import { createTestEmailSender } from '../engine/delivery/test-email.ts'
import { createOperatorOutbound, publicOnly } from '../outbound/create-outbound.ts'
import { OidcDirectory } from '../outbound/oidc/directory.ts'
import { OidcProvider } from '../outbound/oidc/provider.ts'
import type { OidcConfig } from '../platform/config/oidc-config.ts'
import { Background } from '../platform/process/background.ts'
import type { Part } from '../platform/process/lifecycle.ts'
import { PushKeys } from '../store/alerts/push-keys.ts'
import type { Database } from '../store/core/db.ts'
import type { OrganizationSecrets } from '../store/core/organization-secrets.ts'
import type { Tenants } from '../store/core/tenants.ts'
import { PeopleSecrets } from '../store/people/people-secrets.ts'
import { addressPolicy } from './address-policy.ts'
import { openClientAddress } from './client-address.ts'
import { type Context, openPool } from './context.ts'
import { shareAmong } from './share-connections.ts'
import { startStreams } from './streams.ts'

// For people's own accounts. One person, or one network without a sign-in, may use 2 of them.
const PEOPLE_CONNECTIONS = 8
// To identify the caller, the first step of every dashboard request: separate, so that no handler delays it.
const SESSION_CONNECTIONS = 4
const CONNECTIONS_EACH = 2
const USER_AGENT = 'Upvane/1 (sign-in)'

type Deps = {
  tenants: Tenants
  secrets: OrganizationSecrets
  publicOperations: readonly BoundOperation[]
  draw: PreviewRenderer
}

/** `streams` stop before the server, which waits for them to end. */
type PrivateApiRole = {
  surface: Surface
  part: Part
  streams: Part
  operations: readonly BoundPrivateOperation[]
  peopleFor: PeopleFor
}

export async function startPrivateApi(context: Context, deps: Deps): Promise<PrivateApiRole> {
  const { config, log, metrics } = context
  const { baseUrl, oidc } = config
  const { people, sessions, peopleFor, sessionsFor } = openPeople(context)
  await createFirstAccount(context, people, deps.secrets)

  const background = new Background(log)
  const address = openClientAddress(context)
  const peopleSecrets = new PeopleSecrets(config.masterKeys)
  await keyRecoveryCodes(people, peopleSecrets)
  const flows = providerFlows(baseUrl, peopleSecrets)
  const provider = oidc && openProvider(context, oidc)
  const streams = startStreams(context, { sessions, secrets: deps.secrets })
  const canMail = config.smtp !== undefined
  const notifyOwner = createOwnerNotifier({ tenants: deps.tenants, background, canMail })
  const receiverTests = createReceiverTests(config)
  const operations = bindOperations(context, {
    ...deps,
    receiverTests,
    streamOperations: streams.operations,
    peopleSecrets,
    background,
    provider,
    flows,
    notifyOwner,
  })
  const router = new Router(operations)
  const devices = deviceCookies(baseUrl, await peopleSecrets.macKey(people, 'known devices'))
  const limits = new PrivateApiLimits(config.limits)
  const surfaceDeps = { baseUrl, clientAddress: address, devices, log, notifyOwner }
  const access = { ...surfaceDeps, peopleFor, sessionsFor, limits, router, metrics }
  const api = privateApi({ ...deps, ...access, findStreamStart: streams.findStart })
  const admission = admissionOf(oidc)
  const forProvider = peopleFor('identity provider')
  const signIn =
    provider && providerSurface({ people: forProvider, provider, flows, admission, ...surfaceDeps })
  return {
    surface: combineSurfaces(api, signIn),
    part: {
      name: 'people database',
      async stop() {
        await background.settle()
        await Promise.all([people.close(), sessions.close(), receiverTests.close()])
      },
    },
    streams: streams.part,
    operations,
    peopleFor,
  }
}

function openPeople(context: Context) {
  const people = openPool(context, 'people', 'upvane_people', PEOPLE_CONNECTIONS)
  const sessions = openPool(context, 'sessions', 'upvane_people', SESSION_CONNECTIONS)
  return {
    people,
    sessions,
    peopleFor: shareAmong(people, PEOPLE_CONNECTIONS, CONNECTIONS_EACH),
    sessionsFor: shareAmong(sessions, SESSION_CONNECTIONS, CONNECTIONS_EACH),
  }
}

type Parts = Deps & {
  peopleSecrets: PeopleSecrets
  background: Background
  provider: IdentityProvider | undefined
  flows: ReturnType<typeof providerFlows>
  notifyOwner: NotifyOwner
  streamOperations: readonly BoundPrivateOperation[]
  receiverTests: ReceiverTests
}

/** What works with many monitors at once. */
const MANY_MONITORS: readonly BoundPrivateOperation[] = [
  ...tagOperations,
  ...followedTagOperations,
  ...monitorBulkOperations,
  ...monitorViewOperations,
  ...monitorImportOperations,
  ...managedResourceOperations,
]

function bindOperations(
  { config, bus, log }: Context,
  parts: Parts,
): readonly BoundPrivateOperation[] {
  const { peopleSecrets, secrets: organizationSecrets, provider, publicOperations } = parts
  const { resultRetentionDays: checkDays, auditRetentionDays: auditLogDays } = config
  const retention = { checkDays, auditLogDays }
  const canMail = config.smtp !== undefined
  const identityProvider = provider?.name ?? null
  const canPasskey = passkeySiteOf(config.baseUrl) !== undefined
  const shared = {
    ...parts,
    organizationSecrets,
    canMail,
    issuer: provider?.issuer,
    toSignInStatus: toStatusWith({ identityProvider, canMail, canPasskey }),
  }
  const listing = [
    ...signInOperations(shared),
    ...accountOperations(shared),
    ...credentialOperations({ ...shared, secrets: peopleSecrets }),
    ...passkeyOperations({ ...shared, baseUrl: config.baseUrl, log }),
    ...joiningOperations(shared),
    ...organizationOperations({ canMail, retention }),
    ...auditLogOperations,
    testEmailOperation(createTestEmailSender(config)),
    ...keyOperations,
    ...organizationSettingsOperations(canMail),
    ...regionOperations,
    ...alertContactOperations({ policy: addressPolicy(config), canMail }),
    ...receiverTestOperations({ ...shared, policy: addressPolicy(config) }),
    ...linkOperations(parts.tenants),
    ...MANY_MONITORS,
    ...pushDeviceOperations({
      policy: addressPolicy(config),
      pushKeys: new PushKeys(config.masterKeys),
    }),
    ...screenOperations({ ...config, draw: parts.draw }),
    tryMonitorOperation(createRequestTrial(bus)),
    ...parts.streamOperations,
    ...publicOperations.map(bindForMembers),
  ]
  const bound = [...listing, everythingOperation(listing)]
  assertPrivateComplete(PRIVATE_OPERATIONS, bound)
  return bound
}

const toStatusWith =
  (server: Omit<ReturnType<ToSignInStatus>, 'step' | 'secondFactors'>): ToSignInStatus =>
  (step, secondFactors = []) => ({ ...server, step, secondFactors })

/** Creates the first account from the configuration, or logs a link that creates it. */
async function createFirstAccount(
  { config, log }: Context,
  people: Database,
  secrets: OrganizationSecrets,
): Promise<void> {
  const { admin, baseUrl } = config
  if (admin !== undefined) {
    const { password, organization } = admin
    const email = comparable(parseEmailAddress(admin.email) ?? admin.email)
    const problem = passwordProblem(password, { email })
    const [name = email] = email.split('@')
    const person = { email, name, password, organization }
    if (problem !== undefined) log.error(`ADMIN_PASSWORD is ignored: it ${problem}`)
    else if (await setUpFromConfig({ people, secrets }, person))
      log.info({ email }, 'first account made')
  }
  const token = await beginSetup(people)
  if (token === undefined) return
  const link = `${baseUrl}${PATHS.setUp}#${token}`
  log.warn({ link }, 'no account yet: open this link to create the first one')
  if (process.stderr.isTTY)
    process.stderr.write(
      `\n  No account yet. Create the first one with this link:\n\n    ${link}\n\n`,
    )
}

/** The configured issuer may be at any address; the URLs that it publishes may only be public. */
function openProvider({ config }: Context, oidc: OidcConfig): IdentityProvider {
  const { baseUrl, probeDnsServers: dnsServers } = config
  const anywhere = createOperatorOutbound({ dnsServers, userAgent: USER_AGENT })
  const guards = { own: anywhere.guard, others: publicOnly(anywhere).guard }
  const directory = new OidcDirectory({
    issuer: oidc.issuer,
    guards,
    nowMs: () => performance.now(),
  })
  const client = { ...oidc, redirectUri: `${baseUrl}${CALLBACK_PATH}` }
  const provider = new OidcProvider({ client, directory, now: () => new Date() })
  return {
    issuer: oidc.issuer,
    name: oidc.name,
    begin: (flow) => provider.begin(flow),
    finish: (query, flow) => provider.finish(query, flow),
  }
}

function admissionOf(oidc: OidcConfig | undefined): Admission {
  const orgId = fromPublicId('org', oidc?.joins?.organizationId ?? '')
  const role = oidc?.joins?.role ?? 'READ_ONLY'
  return {
    allowedDomains: oidc?.allowedDomains ?? [],
    joins: orgId === undefined ? undefined : { orgId, role },
  }
}

function combineSurfaces(api: Surface, signIn: Surface | undefined): Surface {
  const isSignIn = (path: string) =>
    path === PROVIDER_PREFIX || path.startsWith(`${PROVIDER_PREFIX}/`)
  return {
    prefix: '/app',
    serve(request, response, target) {
      const surface = signIn !== undefined && isSignIn(target.path) ? signIn : api
      return surface.serve(request, response, target)
    },
  }
}
