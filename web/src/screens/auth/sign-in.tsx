import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { toOwnPath } from '../../../../src/domain/values/own-path.ts'
import { callApi } from '../../api/call.ts'
import { signInStatusQuery } from '../../api/queries.ts'
import { authText } from '../../messages/entry/auth.ts'
import { providerSentence } from '../../shared/provider-problems.ts'
import { AuthPage } from '../../shell/auth-page.tsx'
import type { Address } from '../../ui/address.ts'
import { Button } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { Failed } from '../../ui/loading.tsx'
import { Mark } from '../../ui/state.tsx'
import { ForgotPassword } from './forgot-password.tsx'
import { canContinueWithPasskey, PasskeyButton } from './passkey-button.tsx'
import { PasswordField } from './password-field.tsx'
import { SecondFactor, type SignInStatus } from './second-factor.tsx'
import { TextField } from './text-field.tsx'
import '../../ui/notice.css'
import './auth.css'

const text = authText.signIn

export function SignIn() {
  const search: Address = useSearch({ strict: false })
  const returnTo = toOwnPath(search['returnTo'] ?? '') ?? PATHS.monitors
  const status = useQuery(signInStatusQuery)
  const queries = useQueryClient()
  const { history } = useRouter()
  const step = status.data?.step
  useEffect(() => {
    if (step !== 'SIGNED_IN') return
    queries.removeQueries({
      predicate: ({ queryKey }) => queryKey[0] !== signInStatusQuery.queryKey[0],
    })
    history.replace(returnTo)
  }, [step, returnTo, queries, history])
  const onStatus = (next: SignInStatus) => queries.setQueryData(signInStatusQuery.queryKey, next)

  if (status.error) return <Failed error={status.error} retry={() => void status.refetch()} />
  if (status.data === undefined || step === 'SIGNED_IN') return null
  if (step === 'SET_UP') return <NoAccountYet />
  if (step === 'SECOND_FACTOR') return <SecondFactor status={status.data} onStatus={onStatus} />
  if (search['forgot'] !== undefined && status.data.canMail) return <ForgotPassword />
  return <PasswordStep status={status.data} onStatus={onStatus} returnTo={returnTo} />
}

type PasswordStepProps = {
  status: SignInStatus
  onStatus: (status: SignInStatus) => void
  returnTo: string
}

function PasswordStep({ status, onStatus, returnTo }: PasswordStepProps) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useMutation({
    mutationFn: () => callApi('POST /session', { body: { email, password } }),
    onSuccess: onStatus,
  })
  const at = fieldsOf(signIn.error, text.problems)
  const hasPasskey = canContinueWithPasskey(status)
  return (
    <AuthPage title={text.title} about={text.about}>
      <ProviderStep name={status.identityProvider} returnTo={returnTo} />
      {hasPasskey && <PasskeyButton onStatus={onStatus} offers />}
      {(hasPasskey || status.identityProvider !== null) && (
        <div className="or">{authText.orPassword}</div>
      )}
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          signIn.mutate()
        }}
      >
        <FormProblems error={signIn.error} fields={text.problems} />
        <TextField
          label={authText.email}
          type="email"
          autoComplete="username webauthn"
          autoFocus
          value={email}
          onChange={setEmail}
          problem={at('email')}
        />
        <PasswordField
          value={password}
          onChange={setPassword}
          problem={at('password')}
          beside={
            status.canMail && (
              <a className="link small" href={`${PATHS.signIn}?forgot=1`}>
                {text.forgot}
              </a>
            )
          }
        />
        <Button type="submit" kind="primary" size="lg" block busy={signIn.isPending}>
          {text.action}
        </Button>
      </form>
    </AuthPage>
  )
}

function ProviderStep({ name, returnTo }: { name: string | null; returnTo: string }) {
  const { problem }: Address = useSearch({ strict: false })
  if (name === null) return null
  return (
    <>
      {problem !== undefined && (
        <div className="notice is-down" role="alert">
          <Mark state="DOWN" />
          <p className="grow">{providerSentence(problem)}</p>
        </div>
      )}
      <a
        className="btn lg block"
        href={`/app/sign-in/oidc?returnTo=${encodeURIComponent(returnTo)}`}
      >
        <KeyRound className="icon" aria-hidden="true" />
        {authText.continueWith({ provider: name })}
      </a>
    </>
  )
}

function NoAccountYet() {
  const { noAccount } = authText
  return (
    <AuthPage title={noAccount.title} about={noAccount.about}>
      <p className="hint">{noAccount.hint}</p>
    </AuthPage>
  )
}
