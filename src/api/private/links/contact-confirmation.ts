// The link in the email that asks an address to confirm alerts: read it, then confirm.
import {
  confirmContact,
  type OpenConfirmation,
  readConfirmation,
  readLinkToken,
} from '../../../actions/alerts/confirm-contact.ts'
import { limitTries } from '../../../actions/people/limit-tries.ts'
import * as contract from '../../../contract/private/links/contact-confirmations.ts'
import { MAX_LINKS_PER_ADDRESS } from '../../../domain/people/sign-in.ts'
import { networkOf } from '../../../domain/values/network.ts'
import { ApiError } from '../../../platform/api-error.ts'
import type { Tenants } from '../../../store/core/tenants.ts'
import { subjectOf } from '../../../store/people/sign-in-windows.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'
import type { VisitorContext } from '../../http/contexts.ts'

type Act = (orgId: string, uuid: string, token: string) => Promise<OpenConfirmation | undefined>

export function contactConfirmationOperations(tenants: Tenants): readonly BoundOperation[] {
  const findConfirmation: Act = (orgId, uuid, token) =>
    readConfirmation(tenants.of(orgId), uuid, token)
  const acceptConfirmation: Act = (orgId, uuid, token) =>
    tenants.transaction(orgId, (tx) => confirmContact(tx, uuid, token))

  const read: Handler<typeof contract.readContactConfirmation> = ({ body }, visit) =>
    follow(visit, body.token, findConfirmation)
  const confirm: Handler<typeof contract.confirmAlertContact> = ({ body }, visit) =>
    follow(visit, body.token, acceptConfirmation)
  return [bind(contract.readContactConfirmation, read), bind(contract.confirmAlertContact, confirm)]
}

async function follow(
  { people, address }: VisitorContext,
  token: string,
  act: Act,
): Promise<OpenConfirmation> {
  const ids = readLinkToken(token)
  const subject = subjectOf('link', networkOf(address))
  const found = await limitTries(people, [{ subject, limit: MAX_LINKS_PER_ADDRESS }], async () =>
    ids === undefined ? undefined : act(ids.orgId, ids.uuid, token),
  )
  if (found === undefined)
    throw new ApiError('not_found', 'This link was used or has expired. Ask for a new one.')
  return found
}
