import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../api/call.ts'
import type { ResponseOf } from '../../api/contract.ts'
import { authText } from '../../messages/entry/auth.ts'
import { AuthPage } from '../../shell/auth-page.tsx'
import { Button } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { TextField } from './text-field.tsx'

const text = authText.secondFactor

export type SignInStatus = ResponseOf<'GET /session'>

export function SecondFactor({ onStatus }: { onStatus: (status: SignInStatus) => void }) {
  const [code, setCode] = useState('')
  const give = useMutation({
    mutationFn: () => callApi('POST /session/second-factor', { body: { code } }),
    onSuccess: onStatus,
  })
  const startOver = useMutation({
    mutationFn: () => callApi('DELETE /session', {}),
    onSuccess: () => window.location.reload(),
  })
  const at = fieldsOf(give.error, text.problems)
  return (
    <AuthPage title={text.title} about={text.about}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          give.mutate()
        }}
      >
        <FormProblems error={give.error} fields={text.problems} />
        <TextField
          label={text.code}
          hint={text.hint}
          autoComplete="one-time-code"
          autoFocus
          maxLength={40}
          value={code}
          onChange={setCode}
          problem={at('code')}
        />
        <Button type="submit" kind="primary" size="lg" block busy={give.isPending}>
          {text.action}
        </Button>
        <Button kind="ghost" block onClick={() => startOver.mutate()}>
          {text.otherAccount}
        </Button>
      </form>
    </AuthPage>
  )
}
