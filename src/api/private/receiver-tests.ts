// Tests of an alert contact or a webhook endpoint before it is saved. Only an audit log entry is kept.
import { limitRequests } from '../../actions/people/limit-tries.ts'
import { newWebhookSecret } from '../../actions/webhooks/secret.ts'
import type { OperationInput, OperationOutput } from '../../contract/operation.ts'
import * as contract from '../../contract/private/receiver-tests.ts'
import type { Alert } from '../../domain/alerts/alert.ts'
import {
  type AlertContact,
  type ContactSettings,
  mergeSettings,
  secretsToRepeat,
  settingsProblems,
} from '../../domain/alerts/contact.ts'
import { testAlert } from '../../domain/alerts/text.ts'
import type { Secret } from '../../domain/events/signature.ts'
import { type AddressPolicy, endpointUrlProblem, publicOnly } from '../../domain/events/webhook.ts'
import { comparable, parseEmailAddress } from '../../domain/values/email-address.ts'
import { fromPublicId } from '../../domain/values/id.ts'
import { ApiError, notFound, validationError } from '../../platform/api-error.ts'
import { findContact } from '../../store/alerts/contacts.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import type { Tenant } from '../../store/core/tenants.ts'
import { findEndpoint, findEndpointTargets } from '../../store/deliveries/webhook-endpoints.ts'
import { isMember } from '../../store/people/members.ts'
import { findOrganizationName, hasPrivateTargets } from '../../store/people/organizations.ts'
import { subjectOf } from '../../store/people/sign-in-windows.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'

// Per organization in 15 minutes.
const MAX_TESTS = 10

type ContactWish = OperationInput<typeof contract.tryAlertContact>['body']
type EmailChannel = 'EMAIL'
type Provider = Exclude<ContactWish['channel'], EmailChannel | 'WEB_PUSH'>
type Sent = Promise<OperationOutput<typeof contract.tryAlertContact>>
type AlertTest = { settings: ContactSettings; alert: Alert; privateTargets: boolean }
type EndpointTest = {
  orgId: string
  /** Null if it is new. */
  endpointUuid: string | null
  url: string
  secrets: readonly Secret[]
  privateTargets: boolean
}

export type ReceiverTests = {
  alert(channel: Provider, test: AlertTest): Sent
  /** Undefined if no relay is configured. */
  email: ((test: AlertTest) => Sent) | undefined
  endpoint(test: EndpointTest): Sent
}

type Deps = {
  policy: AddressPolicy
  organizationSecrets: OrganizationSecrets
  receiverTests: ReceiverTests
}

export function receiverTestOperations(deps: Deps): readonly BoundOperation[] {
  const contact: Handler<typeof contract.tryAlertContact> = async (
    { body },
    { caller, people, tenants, baseUrl },
  ) => {
    const tenant = tenants.of(caller.orgId)
    const privateTargets = await hasPrivateTargets(tenant)
    const policy = privateTargets ? deps.policy : publicOnly(deps.policy)
    const settings = await readSettings(tenant, body, policy)
    await countContactTest(people, caller.orgId)
    const organization = await findOrganizationName(tenant, caller.orgId)
    const about = { organization, baseUrl, timezone: 'UTC', at: new Date() }
    const test = { settings, alert: testAlert(body.name, about), privateTargets }
    const { channel } = body
    if (channel === 'WEB_PUSH') throw new Error('Devices are tested by themselves')
    if (channel !== 'EMAIL') return deps.receiverTests.alert(channel, test)
    if (deps.receiverTests.email === undefined)
      throw new ApiError('conflict', 'No email can be sent: set SMTP_URL and SMTP_FROM first.')
    return deps.receiverTests.email(test)
  }

  const endpoint: Handler<typeof contract.tryWebhookEndpoint> = async (
    { body },
    { caller, people, tenants },
  ) => {
    const { orgId } = caller
    const tenant = tenants.of(orgId)
    const privateTargets = await hasPrivateTargets(tenant)
    const policy = privateTargets ? deps.policy : publicOnly(deps.policy)
    const message = endpointUrlProblem(body.url, policy)
    if (message !== undefined) throw validationError([{ path: 'url', message }])
    const endpointUuid = await findOwn(tenant, body.endpointId)
    const secrets = await findSecrets(deps.organizationSecrets, tenant, endpointUuid)
    const subject = subjectOf('webhook-test', orgId)
    await limitRequests(people, [{ subject, limit: MAX_TESTS }])
    return deps.receiverTests.endpoint({
      orgId,
      endpointUuid,
      url: body.url,
      secrets,
      privateTargets,
    })
  }

  return [bind(contract.tryAlertContact, contact), bind(contract.tryWebhookEndpoint, endpoint)]
}

/** Shared with the test of a saved contact. */
export async function countContactTest(people: Database, orgId: string): Promise<void> {
  const subject = subjectOf('contact-test', orgId)
  await limitRequests(people, [{ subject, limit: MAX_TESTS }])
}

async function readSettings(
  tenant: Tenant,
  { channel, settings: given, contactId }: ContactWish,
  policy: AddressPolicy,
): Promise<ContactSettings> {
  const saved = await findSaved(tenant, contactId)
  if (saved !== undefined && saved.channel !== channel)
    throw validationError([{ path: 'channel', message: 'must be the channel of the contact' }])
  const old = saved?.settings ?? {}
  const settings = mergeSettings(old, given)
  const problems = [
    ...settingsProblems(channel, settings, policy),
    ...secretsToRepeat(channel, old, given),
  ]
  if (problems.length > 0) throw validationError(problems)
  if (channel === 'EMAIL') await refuseStranger(tenant, settings['address'] ?? '', saved)
  // A new contact gets its secret when it is saved; until then a temporary one signs.
  return channel === 'WEBHOOK' && !settings['secret']
    ? { ...settings, secret: newWebhookSecret() }
    : settings
}

async function findSaved(
  tenant: Tenant,
  contactId: string | undefined,
): Promise<AlertContact | undefined> {
  if (contactId === undefined) return undefined
  const uuid = fromPublicId('act', contactId)
  const saved = uuid && (await findContact(tenant, uuid))
  if (!saved) throw notFound('alert contact')
  return saved
}

/** An address gets nothing before its owner agrees; members have agreed by joining. */
async function refuseStranger(
  tenant: Tenant,
  address: string,
  saved: AlertContact | undefined,
): Promise<void> {
  if (saved?.isConfirmed && saved.settings['address'] === address) return
  if (await isMember(tenant, comparable(parseEmailAddress(address) ?? address))) return
  throw new ApiError(
    'conflict',
    'Save the contact first. We email this address a confirmation link, and you can test it once its owner agrees.',
  )
}

async function findOwn(tenant: Tenant, endpointId: string | undefined): Promise<string | null> {
  if (endpointId === undefined) return null
  const uuid = fromPublicId('whe', endpointId)
  const own = uuid && (await findEndpoint(tenant, uuid))
  if (!own) throw notFound('webhook endpoint')
  return own.uuid
}

async function findSecrets(
  organizationSecrets: OrganizationSecrets,
  tenant: Tenant,
  endpointUuid: string | null,
): Promise<readonly Secret[]> {
  if (endpointUuid === null) return [{ secret: newWebhookSecret(), rotatedAt: null }]
  const targets = await findEndpointTargets(tenant, organizationSecrets, [endpointUuid])
  return targets.get(endpointUuid)?.secrets ?? []
}
