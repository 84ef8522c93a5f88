// The link in an alert that acknowledges its incident: read it, then acknowledge.
import {
  acknowledgeByLink,
  type LinkedIncident,
  readAcknowledgeLink,
} from '../../../actions/incidents/acknowledge-by-link.ts'
import { limitTries } from '../../../actions/people/limit-tries.ts'
import * as contract from '../../../contract/private/links/acknowledgements.ts'
import { readAcknowledgeToken } from '../../../domain/alerts/acknowledge-link.ts'
import { MAX_LINKS_PER_ADDRESS } from '../../../domain/people/sign-in.ts'
import { networkOf } from '../../../domain/values/network.ts'
import { ApiError } from '../../../platform/api-error.ts'
import type { Tenants } from '../../../store/core/tenants.ts'
import { subjectOf } from '../../../store/people/sign-in-windows.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'
import type { VisitorContext } from '../../http/contexts.ts'

type Act = (orgId: string, token: string) => Promise<LinkedIncident | undefined>

export function acknowledgementOperations(tenants: Tenants): readonly BoundOperation[] {
  const find: Act = (orgId, token) => readAcknowledgeLink(tenants.of(orgId), token, new Date())
  const acknowledge: Act = (orgId, token) =>
    tenants.transaction(orgId, (tx) => acknowledgeByLink(tx, token))

  const read: Handler<typeof contract.readAcknowledgement> = ({ body }, visit) =>
    follow(visit, body.token, find)
  const write: Handler<typeof contract.acknowledgeIncidentByLink> = ({ body }, visit) =>
    follow(visit, body.token, acknowledge)
  return [bind(contract.readAcknowledgement, read), bind(contract.acknowledgeIncidentByLink, write)]
}

async function follow({ people, address }: VisitorContext, token: string, act: Act) {
  const orgId = readAcknowledgeToken(token)?.link.orgId
  const subject = subjectOf('link', networkOf(address))
  const found = await limitTries(people, [{ subject, limit: MAX_LINKS_PER_ADDRESS }], async () =>
    orgId === undefined ? undefined : act(orgId, token),
  )
  if (found === undefined)
    throw new ApiError('not_found', 'This link has expired, or its incident is over.')
  return found
}
