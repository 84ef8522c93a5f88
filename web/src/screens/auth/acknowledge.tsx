import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { callApi } from '../../api/call.ts'
import type { ResponseOf } from '../../api/contract.ts'
import { isProblem } from '../../api/problem.ts'
import { authText } from '../../messages/entry/auth.ts'
import { causeSentence } from '../../shared/cause-sentence.ts'
import { AuthPage } from '../../shell/auth-page.tsx'
import { formatMomentInZone } from '../../time/format.ts'
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
  const body = { token: token ?? '' }
  const read = useQuery({
    queryKey: ['acknowledge', token],
    queryFn: () => callApi('POST /acknowledgements/read', { body }),
    enabled: token !== undefined,
    retry: false,
  })
  const acknowledge = useMutation({
    mutationFn: () => callApi('POST /acknowledgements/acknowledge', { body }),
    // It ended while the page was open: what became of the incident?
    onError: (error) => isRefused(error) && void read.refetch(),
  })
  if (token === undefined || isRefused(read.error))
    return (
      <AuthPage title={text.endedTitle} about={text.ended}>
        <Open kind="primary" />
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
  if (!incident.works) return <Ended incident={incident} />
  const { organization, monitor, cause, startedAt, contact, acknowledgedBy } = incident
  if (acknowledgedBy !== null)
    return (
      <AuthPage title={text.doneTitle({ monitor })} about={text.done({ name: acknowledgedBy })}>
        <Open />
      </AuthPage>
    )
  return (
    <AuthPage
      title={text.title({ monitor })}
      about={text.about({
        organization,
        cause: causeSentence(cause),
        moment: formatMomentInZone(startedAt),
      })}
    >
      <p className="hint">{text.asContact({ contact })}</p>
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

type Incident = ResponseOf<'POST /acknowledgements/read'>

/** The link no longer acknowledges. */
function Ended({ incident }: { incident: Incident }) {
  const { organization, monitor, cause, startedAt, resolvedAt } = incident
  const from = formatMomentInZone(startedAt)
  const [title, about] =
    resolvedAt === null
      ? [
          text.openTitle({ monitor }),
          text.since({ organization, cause: causeSentence(cause), moment: from }),
        ]
      : [
          text.resolvedTitle({ monitor }),
          text.resolved({ organization, from, to: formatMomentInZone(resolvedAt) }),
        ]
  return (
    <AuthPage title={title} about={about}>
      <p>{acknowledgementOf(incident)}</p>
      <Open kind="primary" isOver={resolvedAt !== null} />
    </AuthPage>
  )
}

function acknowledgementOf({ acknowledgedBy, acknowledgedAt, resolvedAt }: Incident): string {
  if (acknowledgedBy !== null && acknowledgedAt !== null)
    return text.acknowledged({ name: acknowledgedBy, moment: formatMomentInZone(acknowledgedAt) })
  return resolvedAt === null ? text.notYet : text.notAcknowledged
}

function Open({ kind = '', isOver = false }: { kind?: string; isOver?: boolean }) {
  return (
    <a
      className={`btn ${kind} lg block`}
      href={isOver ? PATHS.incidents : `${PATHS.incidents}?state=ongoing`}
    >
      {text.open}
    </a>
  )
}
