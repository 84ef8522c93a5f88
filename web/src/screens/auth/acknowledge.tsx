import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { callApi } from '../../api/call.ts'
import { isProblem } from '../../api/problem.ts'
import { authText } from '../../messages/entry/auth.ts'
import { AuthPage } from '../../shell/auth-page.tsx'
import { formatMoment } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { FormProblems } from '../../ui/field.tsx'
import { readToken } from './token.ts'

const text = authText.acknowledge

/** A link that was cut or changed is refused, too. */
const isRefused = (error: Error | null): boolean =>
  isProblem(error, 'not_found') || isProblem(error, 'validation_error')

/** Opened from the link in an alert. The reader may have no account. Opening it changes nothing. */
export function Acknowledge() {
  const [token] = useState(() => readToken('acknowledge'))
  const now = useNow(60_000)
  const body = { token: token ?? '' }
  const read = useQuery({
    queryKey: ['acknowledge', token],
    queryFn: () => callApi('POST /acknowledgements/read', { body }),
    enabled: token !== undefined,
    retry: false,
  })
  const acknowledge = useMutation({
    mutationFn: () => callApi('POST /acknowledgements/acknowledge', { body }),
  })
  if (token === undefined || [read.error, acknowledge.error].some(isRefused))
    return (
      <AuthPage title={text.endedTitle} about={text.ended}>
        <a className="btn primary lg block" href={`${PATHS.incidents}?state=ongoing`}>
          {text.open}
        </a>
      </AuthPage>
    )
  if (read.error !== null)
    return (
      <AuthPage title={text.failedTitle}>
        <FormProblems error={read.error} fields={[]} />
        <Button block busy={read.isFetching} onClick={() => void read.refetch()}>
          {text.again}
        </Button>
      </AuthPage>
    )
  const incident = acknowledge.data ?? read.data
  if (incident === undefined) return null
  const { organization, monitor, cause, startedAt, contact, acknowledgedBy } = incident
  if (acknowledgedBy !== null)
    return (
      <AuthPage title={text.doneTitle(monitor)} about={text.done(acknowledgedBy)}>
        <a className="btn lg block" href={`${PATHS.incidents}?state=ongoing`}>
          {text.open}
        </a>
      </AuthPage>
    )
  return (
    <AuthPage
      title={text.title(monitor)}
      about={text.about(organization, cause, formatMoment(startedAt, now))}
    >
      <p className="hint">{text.asContact(contact)}</p>
      <FormProblems error={acknowledge.error} fields={[]} />
      <Button
        kind="primary"
        size="lg"
        block
        busy={acknowledge.isPending}
        onClick={() => acknowledge.mutate()}
      >
        {text.action}
      </Button>
    </AuthPage>
  )
}
