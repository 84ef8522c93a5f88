import { createWebhookEndpoint, type EndpointWithSecret } from '../../actions/webhooks/create.ts'
import { rotateWebhookSecret } from '../../actions/webhooks/rotate-secret.ts'
import { testWebhookEndpoint } from '../../actions/webhooks/send-test.ts'
import { updateWebhookEndpoint } from '../../actions/webhooks/update.ts'
import * as contract from '../../contract/public/webhook-endpoints.ts'
import { toApiDelivery } from '../../domain/events/delivery.ts'
import {
  type AddressPolicy,
  endpointUrlProblem,
  eventTypesProblem,
  publicOnly,
  uniqueEventTypes,
} from '../../domain/events/webhook.ts'
import {
  ENDPOINT_SETTINGS,
  type EndpointSettings,
  toApiEndpoint,
} from '../../domain/events/webhook-endpoint.ts'
import { toPublicId } from '../../domain/values/id.ts'
import type { Problem } from '../../domain/values/problem.ts'
import { notFound, validationError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import * as endpoints from '../../store/deliveries/webhook-endpoints.ts'
import { hasPrivateTargets } from '../../store/people/organizations.ts'
import { compared, fieldsOf } from '../http/audited.ts'
import { type BodyRules, type BoundOperation, bind, type Handler } from '../http/bind.ts'

const list: Handler<typeof contract.listWebhookEndpoints> = async ({ query }, { tenant }) => {
  const { limit, offset } = query
  const page = await endpoints.listEndpoints(tenant, query)
  return {
    data: page.endpoints.map(toApiEndpoint),
    pagination: { limit, offset, total: page.total },
  }
}

const get: Handler<typeof contract.getWebhookEndpoint> = async ({ params }, { tenant }) => {
  const endpoint = await endpoints.findEndpoint(tenant, params.endpointId)
  if (!endpoint) throw notFound('webhook endpoint')
  return toApiEndpoint(endpoint)
}

const remove: Handler<typeof contract.deleteWebhookEndpoint> = async ({ params }, { tx }) => {
  if (!(await endpoints.deleteEndpoint(tx, params.endpointId))) throw notFound('webhook endpoint')
  return { data: { id: toPublicId('whe', params.endpointId) } }
}

const rotate: Handler<typeof contract.rotateWebhookEndpointSecret> = async ({ params }, { tx }) =>
  withSecret(await found(params.endpointId, (uuid) => rotateWebhookSecret(tx, uuid)))

const test: Handler<typeof contract.testWebhookEndpoint> = async ({ params }, { tx }) =>
  toApiDelivery(await found(params.endpointId, (uuid) => testWebhookEndpoint(tx, uuid)))

export function webhookEndpointOperations(policy: AddressPolicy): readonly BoundOperation[] {
  const rules = bodyRules(policy)

  const create: Handler<typeof contract.createWebhookEndpoint> = async ({ body }, { tx }) => {
    await refusePrivate(tx, body.url, policy)
    const eventTypes = uniqueEventTypes(body.eventTypes)
    return withSecret(await createWebhookEndpoint(tx, { ...body, eventTypes }))
  }

  const update: Handler<typeof contract.updateWebhookEndpoint> = async (
    { params, body },
    { tx },
  ) => {
    const { eventTypes, ...rest } = body as Partial<EndpointSettings>
    const patch = { ...rest, ...(eventTypes && { eventTypes: uniqueEventTypes(eventTypes) }) }
    const act = (uuid: string) => updateWebhookEndpoint(tx, uuid, patch)
    const change = await found(params.endpointId, act)
    // A missing endpoint is reported first; a refusal here is rolled back.
    if (patch.url !== undefined) await refusePrivate(tx, patch.url, policy)
    return compared(toApiEndpoint(change.after), change, fieldsOf(ENDPOINT_SETTINGS))
  }

  return [
    bind(contract.listWebhookEndpoints, list),
    bind(contract.createWebhookEndpoint, create, { rules }),
    bind(contract.getWebhookEndpoint, get),
    bind(contract.updateWebhookEndpoint, update, { rules }),
    bind(contract.deleteWebhookEndpoint, remove),
    bind(contract.rotateWebhookEndpointSecret, rotate),
    bind(contract.testWebhookEndpoint, test),
  ]
}

async function found<T>(uuid: string, act: (uuid: string) => Promise<T | undefined>): Promise<T> {
  const outcome = await act(uuid)
  if (!outcome) throw notFound('webhook endpoint')
  return outcome
}

/** The only two responses that contain a secret. */
function withSecret({ endpoint, secret }: EndpointWithSecret) {
  return { ...toApiEndpoint(endpoint), secret }
}

/** The body rules do not know the organization, so they accept what the operator allows for some. */
async function refusePrivate(tx: TenantTx, url: string, policy: AddressPolicy): Promise<void> {
  const message = endpointUrlProblem(url, publicOnly(policy))
  if (message === undefined || (await hasPrivateTargets(tx))) return
  throw validationError([{ path: 'url', message }])
}

function bodyRules(policy: AddressPolicy): BodyRules {
  return ({ url, eventTypes }) => {
    const problems: Problem[] = []
    const wrongUrl = typeof url === 'string' ? endpointUrlProblem(url, policy) : undefined
    if (wrongUrl !== undefined) problems.push({ path: 'url', message: wrongUrl })
    const wrongTypes = Array.isArray(eventTypes) ? eventTypesProblem(eventTypes) : undefined
    if (wrongTypes !== undefined) problems.push({ path: 'eventTypes', message: wrongTypes })
    return problems
  }
}
