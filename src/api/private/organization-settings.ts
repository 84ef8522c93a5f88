import { notifyOwners } from '../../actions/organizations/notify-owners.ts'
import { requestDeletion } from '../../actions/organizations/request-deletion.ts'
import { requireSecondFactor } from '../../actions/organizations/require-second-factor.ts'
import { undoDeletion } from '../../actions/organizations/undo-deletion.ts'
import * as contract from '../../contract/private/organization-settings.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { isTimezone } from '../../domain/values/timezone.ts'
import { validationError } from '../../platform/api-error.ts'
import { lockSettings, setTimezone } from '../../store/people/organization-settings.ts'
import { compared, plain } from '../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'

export function requireTimezone(timezone: string | null): void {
  if (timezone === null || isTimezone(timezone)) return
  const message = 'must be an IANA time zone, such as Europe/Berlin'
  throw validationError([{ path: 'timezone', message }])
}

const changeTimezone: Handler<typeof contract.changeTimezone> = async ({ body }, { tx }) => {
  const { timezone } = body
  requireTimezone(timezone)
  const { timezone: before } = await lockSettings(tx)
  await setTimezone(tx, timezone)
  return compared({ timezone }, { before, after: timezone }, (zone) => ({ timezone: plain(zone) }))
}

const requireFactor: Handler<typeof contract.requireSecondFactor> = async (
  { body },
  { tx, session },
) => {
  const { required } = body
  const change = { byUuid: session.user.uuid, isRequired: required }
  const before = await requireSecondFactor(tx, change)
  return compared({ required }, { before, after: required }, (requireTwoFactor) => ({
    requireTwoFactor: plain(requireTwoFactor),
  }))
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

const undo: Handler<typeof contract.restoreOrganization> = async (_input, { tx, session }) => {
  await undoDeletion(tx, session.user.uuid)
  return { id: toPublicId('org', tx.orgId) }
}

export const organizationSettingsOperations = (canMail: boolean): readonly BoundOperation[] => [
  bind(contract.changeTimezone, changeTimezone),
  bind(contract.requireSecondFactor, requireFactor),
  bind(contract.deleteOrganization, requesting(canMail)),
  bind(contract.restoreOrganization, undo),
]
