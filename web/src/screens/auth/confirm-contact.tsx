import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../api/call.ts'
import { isProblem } from '../../api/problem.ts'
import { authText } from '../../messages/entry/auth.ts'
import { AuthPage } from '../../shell/auth-page.tsx'
import { Button } from '../../ui/button.tsx'
import { FormProblems } from '../../ui/field.tsx'
import { dropToken, readToken } from './token.ts'

const text = authText.confirmContact

/** Opened from the confirmation email of an alert contact. The recipient may have no account. */
export function ConfirmContact() {
  const [token] = useState(() => readToken('confirm-contact'))
  const body = { token: token ?? '' }
  const read = useQuery({
    queryKey: ['confirm-contact', token],
    queryFn: () => callApi('POST /contact-confirmations/read', { body }),
    enabled: token !== undefined,
    retry: false,
  })
  const confirm = useMutation({
    mutationFn: () => callApi('POST /contact-confirmations/confirm', { body }),
    onSuccess: () => dropToken('confirm-contact'),
  })
  if (confirm.isSuccess)
    return (
      <AuthPage
        title={text.doneTitle}
        about={text.done({
          organization: confirm.data.organization,
          address: confirm.data.address,
        })}
      >
        {null}
      </AuthPage>
    )
  if (token === undefined || read.error !== null || isProblem(confirm.error, 'not_found'))
    return (
      <AuthPage title={text.endedTitle} about={text.ended}>
        {null}
      </AuthPage>
    )
  if (read.data === undefined) return null
  const { organization, address } = read.data
  return (
    <AuthPage title={text.title({ organization })} about={text.about({ organization, address })}>
      <FormProblems error={confirm.error} fields={[]} />
      <Button
        kind="primary"
        size="lg"
        block
        busy={confirm.isPending}
        onClick={() => confirm.mutate()}
      >
        {text.action}
      </Button>
    </AuthPage>
  )
}
