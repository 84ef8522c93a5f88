// Sends a test email to the person who requests it. Only an audit log entry is kept.
import { limitRequests } from '../../actions/people/limit-tries.ts'
import { testEmail } from '../../contract/private/organization.ts'
import { ApiError } from '../../platform/api-error.ts'
import { findOrganizationName } from '../../store/people/organizations.ts'
import { subjectOf } from '../../store/people/sign-in-windows.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'
import { userOf } from './session-user.ts'

// Per organization in 15 minutes.
const MAX_TESTS = 10

type TestEmailInput = { to: string; name: string; organization: string }
type TestEmailResult = {
  delivered: boolean
  answer: string | null
  error: string | null
  tookMs: number
}
export const NO_RELAY =
  'No mail can be sent from here: whoever runs this installation sets SMTP_URL and SMTP_FROM.'

/** Undefined if no relay is configured. */
export type SendTestEmail = ((input: TestEmailInput) => Promise<TestEmailResult>) | undefined

export function testEmailOperation(send: SendTestEmail): BoundOperation {
  const handle: Handler<typeof testEmail> = async (_input, context) => {
    const { caller, people, session, tenants } = context
    if (send === undefined) throw new ApiError('conflict', NO_RELAY)
    const subject = subjectOf('mail-test', caller.orgId)
    await limitRequests(people, [{ subject, limit: MAX_TESTS }])
    const { email: to, name } = await userOf({ people, session })
    const organization = await findOrganizationName(tenants.of(caller.orgId), caller.orgId)
    return { to, ...(await send({ to, name, organization })) }
  }
  return bind(testEmail, handle)
}
