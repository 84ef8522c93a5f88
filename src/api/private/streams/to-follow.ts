import type { Session } from '../../../domain/people/session.ts'
import type { Membership } from '../../../store/people/sessions.ts'
import type { Follow } from '../../http/contexts.ts'
import type { RequestInput } from '../../http/input/read-input.ts'
import type { SurfaceRequest } from '../../http/surface.ts'

/** A browser resumes by header. Its first stream starts where its first read was, which only the URL can say. */
export function toFollow(
  { headers, requestId }: SurfaceRequest,
  { query }: RequestInput,
  { uuid: sessionUuid, user }: Session,
  { orgId }: Membership,
): Follow {
  const { from = '' } = query as { from?: string }
  const given = headers['last-event-id']
  const lastEventId = typeof given === 'string' ? given : from
  return { sessionUuid, userUuid: user.uuid, orgId, requestId, lastEventId }
}
