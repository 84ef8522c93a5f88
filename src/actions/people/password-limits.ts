import type { KnownDevice } from '../../domain/people/session.ts'
import {
  MAX_TRIES_IN_ALL,
  MAX_TRIES_PER_ACCOUNT,
  MAX_TRIES_PER_ADDRESS,
} from '../../domain/people/sign-in.ts'
import { networkOf } from '../../domain/values/network.ts'
import { type Limit, subjectOf } from '../../store/people/sign-in-windows.ts'

/**
 * Limits for password attempts on an account. A browser that the owner signed in with before has its own limit, which
 * strangers cannot exhaust. `device` must belong to the account.
 */
export function passwordLimits(
  email: string,
  address: string,
  device: KnownDevice | undefined,
): readonly Limit[] {
  if (device !== undefined) return [deviceLimit(device)]
  const network = networkOf(address)
  return [
    addressLimit(network),
    { subject: subjectOf('account-network', `${email} ${network}`), limit: MAX_TRIES_PER_ACCOUNT },
    { subject: subjectOf('account', email), limit: MAX_TRIES_IN_ALL },
  ]
}

/** Limits for passkeys. Nobody can guess one, so only whoever sends wrong answers is slowed down. */
export const passkeyLimits = (
  address: string,
  device: KnownDevice | undefined,
): readonly Limit[] =>
  device === undefined ? [addressLimit(networkOf(address))] : [deviceLimit(device)]

const addressLimit = (network: string): Limit => ({
  subject: subjectOf('address', network),
  limit: MAX_TRIES_PER_ADDRESS,
})

const deviceLimit = ({ userUuid, id }: KnownDevice): Limit => ({
  subject: subjectOf('device', `${userUuid} ${id}`),
  limit: MAX_TRIES_PER_ACCOUNT,
})
