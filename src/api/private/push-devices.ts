// Notifications on a member's own devices.
import { addPushDevice } from '../../actions/alerts/add-push-device.ts'
import { testAlertContact } from '../../actions/alerts/test-contact.ts'
import { limitRequests } from '../../actions/people/limit-tries.ts'
import * as contract from '../../contract/private/push-devices.ts'
import { subscriptionProblems, toApiPushDevice } from '../../domain/alerts/push-device.ts'
import { type AddressPolicy, publicOnly } from '../../domain/events/webhook.ts'
import type { Session } from '../../domain/people/session.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { ApiError, notFound, validationError } from '../../platform/api-error.ts'
import { isOnCurve } from '../../platform/crypto/push-encryption.ts'
import {
  deletePushDevice,
  findOwnContact,
  listPushDevices,
} from '../../store/alerts/push-devices.ts'
import type { PushKeys } from '../../store/alerts/push-keys.ts'
import type { Database } from '../../store/core/db.ts'
import { hasPrivateTargets } from '../../store/people/organizations.ts'
import { subjectOf } from '../../store/people/sign-in-windows.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'

// Per person in 15 minutes.
const MAX_ADDED = 20
const MAX_TESTS = 10

type PushDeps = { policy: AddressPolicy; pushKeys: PushKeys }

export function pushDeviceOperations({ policy, pushKeys }: PushDeps): readonly BoundOperation[] {
  const list: Handler<typeof contract.listPushDevices> = async (
    _input,
    { tenant, people, session },
  ) => {
    const { publicKey } = await pushKeys.get(people)
    const contactUuid = await findOwnContact(tenant, session.user.uuid)
    const contactId = contactUuid === undefined ? null : toPublicId('act', contactUuid)
    const devices = await listPushDevices(tenant, session.user.uuid)
    return { publicKey, contactId, data: devices.map(toApiPushDevice) }
  }

  const add: Handler<typeof contract.addPushDevice> = async ({ body }, { tx, session }) => {
    const { name, endpoint, keys } = body
    const subscription = { endpoint, ...keys }
    const own = (await hasPrivateTargets(tx)) ? policy : publicOnly(policy)
    const problems = subscriptionProblems(subscription, own, isOnCurve)
    if (problems.length > 0) throw validationError(problems)
    return toApiPushDevice(await addPushDevice(tx, session.user, { name, subscription }))
  }

  return [
    bind(contract.listPushDevices, list),
    bind(contract.addPushDevice, add, {
      prepare: (_input, context) => count('push-add', MAX_ADDED, context),
    }),
    bind(contract.removePushDevice, remove),
    bind(contract.testPushDevices, test, {
      prepare: (_input, context) => count('push-test', MAX_TESTS, context),
    }),
  ]
}

const remove: Handler<typeof contract.removePushDevice> = async ({ params }, { tx, session }) => {
  if (!(await deletePushDevice(tx, params.deviceId, session.user.uuid))) throw notFound('device')
  return { data: { id: toPublicId('pdv', params.deviceId) } }
}

const test: Handler<typeof contract.testPushDevices> = async (_input, { tx, session, baseUrl }) => {
  const contactUuid = await findOwnContact(tx, session.user.uuid)
  const deliveryUuid = contactUuid && (await testAlertContact(tx, contactUuid, baseUrl))
  if (!deliveryUuid)
    throw new ApiError('conflict', 'No device receives notifications. Turn them on first.')
  return { deliveryId: toPublicId('whd', deliveryUuid) }
}

async function count(
  kind: 'push-add' | 'push-test',
  limit: number,
  { people, session }: { people: Database; session: Session },
): Promise<void> {
  await limitRequests(people, [{ subject: subjectOf(kind, session.user.uuid), limit }])
}
