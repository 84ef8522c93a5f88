import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { callApi } from '../../api/call.ts'
import { isProblem } from '../../api/problem.ts'
import { authText } from '../../messages/entry/auth.ts'
import { AuthPage } from '../../shell/auth-page.tsx'
import { Button } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { PasswordField } from './password-field.tsx'
import { dropToken, readToken } from './token.ts'

const text = authText.reset

export function ResetPassword() {
  const [token] = useState(() => readToken('reset-password'))
  const [password, setPassword] = useState('')
  const reset = useMutation({
    mutationFn: () =>
      callApi('POST /password-resets/complete', { body: { token: token ?? '', password } }),
    onSuccess: () => dropToken('reset-password'),
  })
  const at = fieldsOf(reset.error, text.problems)
  if (reset.isSuccess) return <End title={text.doneTitle} about={text.done} />
  if (token === undefined || isProblem(reset.error, 'not_found'))
    return <End title={text.endedTitle} about={text.ended} />
  return (
    <AuthPage title={text.title} about={text.about}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          reset.mutate()
        }}
      >
        <FormProblems error={reset.error} fields={text.problems} />
        <PasswordField
          isNew
          label={authText.newPassword}
          value={password}
          onChange={setPassword}
          problem={at('password')}
        />
        <Button type="submit" kind="primary" size="lg" block busy={reset.isPending}>
          {text.action}
        </Button>
      </form>
    </AuthPage>
  )
}

function End({ title, about }: { title: string; about: string }) {
  return (
    <AuthPage title={title} about={about}>
      <a className="btn primary lg block" href={PATHS.signIn}>
        {authText.toSignIn}
      </a>
    </AuthPage>
  )
}
