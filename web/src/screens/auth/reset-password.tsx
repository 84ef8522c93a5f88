import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { callApi } from '../../api/call.ts'
import { isProblem } from '../../api/problem.ts'
import { AuthPage } from '../../shell/auth-page.tsx'
import { Button } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { PasswordField } from './password-field.tsx'
import { dropToken, readToken } from './token.ts'

export function ResetPassword() {
  const [token] = useState(() => readToken('reset-password'))
  const [password, setPassword] = useState('')
  const reset = useMutation({
    mutationFn: () =>
      callApi('POST /password-resets/complete', { body: { token: token ?? '', password } }),
    onSuccess: () => dropToken('reset-password'),
  })
  const at = fieldsOf(reset.error)
  if (reset.isSuccess)
    return (
      <End
        title="Your password is changed"
        about="All sessions were ended. Sign in with the new password."
      />
    )
  if (token === undefined || isProblem(reset.error, 'not_found'))
    return (
      <End
        title="This link does not work any more"
        about="It was used or has ended. Ask for a new one on the sign-in page."
      />
    )
  return (
    <AuthPage title="Choose a new password" about="It ends all your sessions, on every device.">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          reset.mutate()
        }}
      >
        <FormProblems error={reset.error} fields={['password']} />
        <PasswordField
          isNew
          label="New password"
          value={password}
          onChange={setPassword}
          problem={at('password')}
        />
        <Button type="submit" kind="primary" size="lg" block busy={reset.isPending}>
          Change password
        </Button>
      </form>
    </AuthPage>
  )
}

function End({ title, about }: { title: string; about: string }) {
  return (
    <AuthPage title={title} about={about}>
      <a className="btn primary lg block" href={PATHS.signIn}>
        Go to sign-in
      </a>
    </AuthPage>
  )
}
