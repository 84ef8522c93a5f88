// Notifications on a person's own devices. Everything here is about the caller: nobody sees or changes the devices of
// others.
import { MAX_PUSH_DEVICES } from '../../domain/alerts/push-device.ts'
import { closed, Deleted, input, nullable, time } from '../schema.ts'
import { Type } from '../type.ts'
import { displayName } from './display-name.ts'
import { privateOperation } from './operation.ts'

const PATH = '/push-devices'
const DEVICE_PATH = `${PATH}/{deviceId}` as const
const DeviceParams = Type.Object({ deviceId: Type.String() })

const Device = closed({
  id: Type.String(),
  name: Type.String(),
  /** SHA-256 of the endpoint, in hex: a browser finds itself in the list by it. */
  fingerprint: Type.String(),
  createdAt: time(),
  lastSuccessAt: nullable(time()),
  /** Why the last notification was not accepted; null if it was. */
  error: nullable(Type.String()),
})

export const listPushDevices = privateOperation({
  id: 'listPushDevices',
  method: 'GET',
  path: PATH,
  who: 'READ_ONLY',
  reply: {
    status: 200,
    body: closed({
      /** The installation's public key (VAPID), which a browser needs to subscribe. */
      publicKey: Type.String(),
      /** The caller's alert contact; null before the first device. */
      contactId: nullable(Type.String()),
      data: Type.Array(Device, { maxItems: MAX_PUSH_DEVICES }),
    }),
  },
})

/** Creates the caller's alert contact with the first device. A browser that is already registered is updated. */
export const addPushDevice = privateOperation({
  id: 'addPushDevice',
  method: 'POST',
  path: PATH,
  who: 'READ_ONLY',
  body: {
    schema: input({
      /** Such as "Firefox on Linux". */
      name: displayName,
      endpoint: Type.String({ minLength: 1, maxLength: 2048 }),
      keys: closed({
        p256dh: Type.String({ minLength: 1, maxLength: 200 }),
        auth: Type.String({ minLength: 1, maxLength: 100 }),
      }),
    }),
    required: true,
  },
  reply: { status: 201, body: Device },
})

export const removePushDevice = privateOperation({
  id: 'removePushDevice',
  method: 'DELETE',
  path: DEVICE_PATH,
  who: 'READ_ONLY',
  params: DeviceParams,
  reply: { status: 200, body: Deleted },
})

/** Sends a test to all of the caller's devices. */
export const testPushDevices = privateOperation({
  id: 'testPushDevices',
  method: 'POST',
  // Not below the devices, where it would be an id.
  path: '/push-test',
  who: 'READ_ONLY',
  reply: { status: 201, body: closed({ deliveryId: Type.String() }) },
})

export const PUSH_DEVICE_OPERATIONS = [
  listPushDevices,
  addPushDevice,
  removePushDevice,
  testPushDevices,
] as const
