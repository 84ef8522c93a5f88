import { notifyOwners } from '../../actions/organizations/notify-owners.ts'
import { requestDeletion } from '../../actions/organizations/request-deletion.ts'
import { requireSecondFactor } from '../../actions/organizations/require-second-factor.ts'
import { undoDeletion } from '../../actions/organizations/undo-deletion.ts'
import * as contract from '../../contract/private/organization-settings.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { isTimezone } from '../../domain/values/timezone.ts'
import { validationError } from '../../platform/api-error.ts'
import { findSettings, setTimezone } from '../../store/people/organization-settings.ts'
import { type Audited, plain } from '../http/audited.ts'
import { bind, type Handler } from '../http/bind.ts'
import type { BoundPrivateOperation } from './bind.ts'

export function requireTimezone(timezone: string | null): void {
  if (timezone === null || isTimezone(timezone)) return
  const message = 'must be an IANA time zone, such as Europe/Berlin'
  throw validationError([{ path: 'timezone', message }])
}

const changeTimezone: Handler<typeof contract.changeTimezone> = async ({ body }, { tx }) => {
  const { timezone } = body
  requireTimezone(timezone)
  await setTimezone(tx, timezone)
  return { timezone }
}

const requireFactor: Handler<typeof contract.requireSecondFactor> = async (
  { body },
  { tx, session },
) => {
  const { required } = body
  await requireSecondFactor(tx, { byUuid: session.user.uuid, isRequired: required })
  return { required }
}

/** `canMail`: whether a relay is configured. */
function requesting(canMail: boolean): Handler<typeof contract.deleteOrganization> {
  return async ({ body }, { tx, session, baseUrl }) => {
    const { uuid: byUuid, name: deletedBy } = session.user
    const eraseAt = await requestDeletion(tx, { byUuid, typedName: body.name })
    if (canMail) await notifyOwners(tx, { deletedBy, eraseAt, baseUrl })
    return { id: toPublicId('org', tx.orgId), eraseAt }
  }
}

const undo: Handler<typeof contract.undoDeletion> = async (_input, { tx, session }) => {
  await undoDeletion(tx, session.user.uuid)
  return { id: toPublicId('org', tx.orgId) }
}

export const organizationSettingsOperations = (
  canMail: boolean,
): readonly BoundPrivateOperation[] => [
  bind(contract.changeTimezone, changeTimezone, { audited: AUDITED_ZONE }),
  bind(contract.requireSecondFactor, requireFactor, { audited: AUDITED_FACTOR }),
  bind(contract.deleteOrganization, requesting(canMail)),
  bind(contract.undoDeletion, undo),
]

const AUDITED_ZONE: Audited = {
  read: async (tx) => ({ timezone: plain((await findSettings(tx)).timezone) }),
}

const AUDITED_FACTOR: Audited = {
  read: async (tx) => ({ requireTwoFactor: plain((await findSettings(tx)).requiresSecondFactor) }),
}
