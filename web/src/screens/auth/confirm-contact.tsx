import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../api/call.ts'
import { isProblem } from '../../api/problem.ts'
import { AuthPage } from '../../shell/auth-page.tsx'
import { Button } from '../../ui/button.tsx'
import { FormProblems } from '../../ui/field.tsx'
import { dropToken, readToken } from './token.ts'

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
        title="Address confirmed"
        about={`${confirm.data.address} now receives alerts of ${confirm.data.organization}. You can close this page.`}
      >
        {null}
      </AuthPage>
    )
  if (token === undefined || read.error !== null || isProblem(confirm.error, 'not_found'))
    return (
      <AuthPage
        title="This link doesn't work anymore"
        about="It was used or has expired. Ask the person who added your address to resend the email."
      >
        {null}
      </AuthPage>
    )
  if (read.data === undefined) return null
  const { organization, address } = read.data
  return (
    <AuthPage
      title={`Receive alerts of ${organization}?`}
      about={`${organization} wants to send alerts about its websites and services to ${address}.`}
    >
      <FormProblems error={confirm.error} fields={[]} />
      <Button
        kind="primary"
        size="lg"
        block
        busy={confirm.isPending}
        onClick={() => confirm.mutate()}
      >
        Confirm address
      </Button>
    </AuthPage>
  )
}
