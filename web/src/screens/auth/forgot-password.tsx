import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { callApi } from '../../api/call.ts'
import { AuthPage } from '../../shell/auth-page.tsx'
import { Button } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { TextField } from './text-field.tsx'

export function ForgotPassword() {
  const [email, setEmail] = useState('')
  const ask = useMutation({
    mutationFn: () => callApi('POST /password-resets', { body: { email } }),
  })
  const at = fieldsOf(ask.error)
  if (ask.isSuccess)
    return (
      <AuthPage
        title="Look into your mail"
        about={`If ${email} has an account here, a link for a new password is on its way.`}
      >
        <a className="btn lg block" href={PATHS.signIn}>
          Back to sign-in
        </a>
      </AuthPage>
    )
  return (
    <AuthPage title="Forgot your password?" about="We send a link with which you choose a new one.">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          ask.mutate()
        }}
      >
        <FormProblems error={ask.error} fields={['email']} />
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          problem={at('email')}
        />
        <Button type="submit" kind="primary" size="lg" block busy={ask.isPending}>
          Send the link
        </Button>
        <a className="btn ghost block" href={PATHS.signIn}>
          Back to sign-in
        </a>
      </form>
    </AuthPage>
  )
}
