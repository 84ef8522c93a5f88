// What the outcomes of several devices mean for the one delivery they share.
import { NO_RESPONSE, type SendResult } from '../../domain/events/delivery-outcome.ts'

/** Of one device. `next` says what to do if it was not accepted. */
export type DeviceOutcome = Omit<SendResult, 'outcome'> & {
  deviceUuid: string
  name: string
  isAccepted: boolean
  /** Its push service does not know it anymore. */
  isGone: boolean
}

export const NO_DEVICE = 'No device receives notifications anymore'

/**
 * It is tried again as long as any device may still accept it. Otherwise one device that accepted it is enough.
 * `isAccepted`: an earlier attempt reached another device.
 */
export function judgeDevices(outcomes: readonly DeviceOutcome[], isAccepted: boolean): SendResult {
  const isReached = isAccepted || outcomes.some((one) => one.isAccepted)
  const waiting = outcomes.find((one) => !one.isAccepted && one.next === 'RETRY')
  if (waiting !== undefined) return { ...toFailure(waiting, isReached), next: 'RETRY' }
  const accepted = outcomes.find((one) => one.isAccepted)
  if (isReached) {
    const responseStatus = accepted?.responseStatus ?? null
    return { ...NO_RESPONSE, outcome: 'SUCCEEDED', responseStatus }
  }
  const refused = outcomes.find(({ isGone }) => !isGone)
  if (refused !== undefined) return { ...toFailure(refused, false), next: 'OVER' }
  // Not GONE: the contact must work again with the next device.
  const [gone] = outcomes
  return {
    ...NO_RESPONSE,
    responseStatus: gone?.responseStatus ?? null,
    errorCode: 'BAD_STATUS',
    error: NO_DEVICE,
    isReceiverFault: true,
    next: 'OVER',
  }
}

/** A device that fails must not slow down the others: it counts against the contact only if none was reached. */
function toFailure(one: DeviceOutcome, isReached: boolean): SendResult {
  const { responseStatus, retryAfter, errorCode, name } = one
  const error = `${name}: ${one.error ?? 'not delivered'}`
  const isReceiverFault = one.isReceiverFault && !isReached
  return { ...NO_RESPONSE, responseStatus, retryAfter, errorCode, error, isReceiverFault }
}
