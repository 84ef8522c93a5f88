// The dashboard's private API, and the creation of the first account.
import { createRequestTrial } from '../../actions/monitors/request-check.ts'
import type { PeopleFor } from '../../api/ext/served-to-keys.ts'
import type { BoundOperation } from '../../api/http/bind.ts'
import { Router } from '../../api/http/router.ts'
import type { Surface } from '../../api/http/surface.ts'
import { bindPrivateOperations } from '../../api/private/operations.ts'
import { privateApi } from '../../api/private/private-api.ts'
import { PrivateApiLimits } from '../../api/private/private-api-limits.ts'
import type { PreviewRenderer } from '../../api/private/screens/pages.ts'
import { deviceCookies } from '../../api/private/sign-in/device-cookie.ts'
import { providerSurface, withSignIn } from '../../api/private/sign-in/provider-surface.ts'
import { createReceiverTests } from '../../engine/delivery/receiver-tests.ts'
import { createTestEmailSender } from '../../engine/delivery/test-email.ts'
import type { Part } from '../../platform/process/lifecycle.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import type { Tenants } from '../../store/core/tenants.ts'
import { addressPolicy } from '../address-policy.ts'
import { openClientAddress } from '../client-address.ts'
import { shrinkPool } from '../connection-budget.ts'
import { type Context, openPool } from '../context.ts'
import { shareAmong } from '../share-connections.ts'
import { openAccess } from './access.ts'
import { createFirstAccount } from './first-account.ts'
import { admissionOf } from './identity-provider.ts'
import { toInstallation } from './installation.ts'
import { startStreams } from './streams.ts'

// For people's own accounts. One person, or one network without a sign-in, may use 2 of them.
const PEOPLE_CONNECTIONS = 8
// To identify the caller, the first step of every dashboard request: separate, so that no handler delays it.
const SESSION_CONNECTIONS = 4
const CONNECTIONS_EACH = 2

type Deps = {
  tenants: Tenants
  secrets: OrganizationSecrets
  engine: Database
  publicOperations: readonly BoundOperation[]
  draw: PreviewRenderer
}

/** `streams` stop before the server, which waits for them to end. */
type PrivateApiRole = {
  surface: Surface
  part: Part
  streams: Part
  operations: readonly BoundOperation[]
  peopleFor: PeopleFor
}

export async function startPrivateApi(context: Context, deps: Deps): Promise<PrivateApiRole> {
  const { config, log, metrics } = context
  const { baseUrl, oidc } = config
  const { people, sessions, peopleFor, sessionsFor } = openPeople(context)
  await createFirstAccount(context, people, deps.secrets)
  const access = await openAccess(context, people, deps)
  const { peopleSecrets, background, provider, flows, notifyOwner } = access
  const streams = startStreams(context, { sessions, secrets: deps.secrets })
  const receiverTests = createReceiverTests(config)
  const operations = bindPrivateOperations({
    ...deps,
    ...access,
    receiverTests,
    policy: addressPolicy(config),
    requestTrial: createRequestTrial(context.bus),
    sendTestEmail: createTestEmailSender(config),
    streamOperations: streams.operations,
    installation: toInstallation(context, deps.engine),
  })
  const devices = deviceCookies(baseUrl, await peopleSecrets.macKey(people, 'known devices'))
  const shared = { baseUrl, clientAddress: openClientAddress(context), devices, log, notifyOwner }
  const limits = new PrivateApiLimits(config.limits)
  const router = new Router(operations)
  const callers = { peopleFor, sessionsFor, limits, router, metrics }
  const api = privateApi({ ...deps, ...shared, ...callers, findStreamStart: streams.findStart })
  const admission = admissionOf(oidc)
  const forProvider = peopleFor('identity provider')
  const signIn =
    provider && providerSurface({ ...shared, people: forProvider, provider, flows, admission })
  return {
    surface: withSignIn(api, signIn),
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
  const connections = shrinkPool(PEOPLE_CONNECTIONS, context.config)
  const people = openPool(context, 'people', 'upvane_people', connections)
  const sessions = openPool(context, 'sessions', 'upvane_people', SESSION_CONNECTIONS)
  return {
    people,
    sessions,
    peopleFor: shareAmong(people, connections, CONNECTIONS_EACH),
    sessionsFor: shareAmong(sessions, SESSION_CONNECTIONS, CONNECTIONS_EACH),
  }
}
