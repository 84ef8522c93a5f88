import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { callApi } from '../../api/call.ts'
import { authText } from '../../messages/entry/auth.ts'
import { AuthPage } from '../../shell/auth-page.tsx'
import { Button } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { TextField } from './text-field.tsx'

const text = authText.forgot

export function ForgotPassword() {
  const [email, setEmail] = useState('')
  const ask = useMutation({
    mutationFn: () => callApi('POST /password-resets', { body: { email } }),
  })
  const at = fieldsOf(ask.error, text.problems)
  if (ask.isSuccess)
    return (
      <AuthPage title={text.sentTitle} about={text.sent({ address: email })}>
        <a className="btn lg block" href={PATHS.signIn}>
          {authText.backToSignIn}
        </a>
      </AuthPage>
    )
  return (
    <AuthPage title={text.title} about={text.about}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          ask.mutate()
        }}
      >
        <FormProblems error={ask.error} fields={text.problems} />
        <TextField
          label={authText.email}
          type="email"
          autoFocus
          autoComplete="username"
          value={email}
          onChange={setEmail}
          problem={at('email')}
        />
        <Button type="submit" kind="primary" size="lg" block busy={ask.isPending}>
          {text.action}
        </Button>
        <a className="btn ghost block" href={PATHS.signIn}>
          {authText.backToSignIn}
        </a>
      </form>
    </AuthPage>
  )
}
