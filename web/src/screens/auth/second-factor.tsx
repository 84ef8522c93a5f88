import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../api/call.ts'
import type { ResponseOf } from '../../api/contract.ts'
import { authText } from '../../messages/entry/auth.ts'
import { AuthPage } from '../../shell/auth-page.tsx'
import { Button } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { canContinueWithPasskey, PasskeyButton } from './passkey-button.tsx'
import { TextField } from './text-field.tsx'
import './auth.css'

const text = authText.secondFactor

export type SignInStatus = ResponseOf<'GET /session'>

type SecondFactorProps = { status: SignInStatus; onStatus: (status: SignInStatus) => void }

export function SecondFactor({ status, onStatus }: SecondFactorProps) {
  const has = (kind: SignInStatus['secondFactors'][number]) => status.secondFactors.includes(kind)
  const [code, setCode] = useState('')
  const give = useMutation({
    mutationFn: () => callApi('POST /session/second-factor', { body: { code } }),
    onSuccess: onStatus,
  })
  const startOver = useMutation({
    mutationFn: () => callApi('DELETE /session', {}),
    onSuccess: () => window.location.reload(),
  })
  const hasPasskey = has('PASSKEY') && canContinueWithPasskey(status)
  const at = fieldsOf(give.error, text.problems)
  return (
    <AuthPage title={text.title} about={aboutOf(has('AUTHENTICATOR'), has('PASSKEY'))}>
      {hasPasskey && (
        <>
          <PasskeyButton onStatus={onStatus} autoFocus={!has('AUTHENTICATOR')} />
          <div className="or">{authText.orCode}</div>
        </>
      )}
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          give.mutate()
        }}
      >
        <FormProblems error={give.error} fields={text.problems} />
        <TextField
          label={has('AUTHENTICATOR') ? text.code : text.recoveryCode}
          {...(has('AUTHENTICATOR') && { hint: text.hint })}
          autoComplete="one-time-code"
          autoFocus={has('AUTHENTICATOR') || !hasPasskey}
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

function aboutOf(hasAuthenticator: boolean, hasPasskey: boolean): string {
  if (!hasPasskey) return text.about
  return hasAuthenticator ? text.aboutEither : text.aboutPasskey
}
