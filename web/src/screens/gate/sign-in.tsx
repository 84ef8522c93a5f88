import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { toOwnPath } from '../../../../src/domain/values/own-path.ts'
import { callApi } from '../../api/call.ts'
import type { Answer } from '../../api/contract.ts'
import { standingQuery } from '../../api/queries.ts'
import { GatePage } from '../../shell/gate-page.tsx'
import type { Address } from '../../ui/address.ts'
import { Button } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { Failed } from '../../ui/loading.tsx'
import { Mark } from '../../ui/state.tsx'
import { ForgotPassword } from './forgot-password.tsx'
import { PasswordField } from './password-field.tsx'
import { providerSentence } from './provider-problems.ts'
import { SecondFactor } from './second-factor.tsx'
import { TextField } from './text-field.tsx'

export type Standing = Answer<'GET /session'>

export function SignIn() {
  const search: Address = useSearch({ strict: false })
  const returnTo = toOwnPath(search['returnTo'] ?? '') ?? '/monitors'
  const standing = useQuery(standingQuery)
  const queries = useQueryClient()
  const { history } = useRouter()
  const step = standing.data?.step
  useEffect(() => {
    if (step !== 'SIGNED_IN') return
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'standing' })
    history.replace(returnTo)
  }, [step, returnTo, queries, history])
  const onStanding = (next: Standing) => queries.setQueryData(standingQuery.queryKey, next)

  if (standing.error) return <Failed error={standing.error} retry={() => void standing.refetch()} />
  if (standing.data === undefined || step === 'SIGNED_IN') return null
  if (step === 'SET_UP') return <NobodyYet />
  if (step === 'SECOND_FACTOR') return <SecondFactor onStanding={onStanding} />
  if (search['forgot'] !== undefined && standing.data.canMail) return <ForgotPassword />
  return <PasswordStep standing={standing.data} onStanding={onStanding} returnTo={returnTo} />
}

type PasswordStepProps = {
  standing: Standing
  onStanding: (standing: Standing) => void
  returnTo: string
}

function PasswordStep({ standing, onStanding, returnTo }: PasswordStepProps) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useMutation({
    mutationFn: () => callApi('POST /session', { body: { email, password } }),
    onSuccess: onStanding,
  })
  const at = fieldsOf(signIn.error)
  return (
    <GatePage title="Sign in to Upvane" about="Welcome back.">
      <ProviderStep name={standing.identityProvider} returnTo={returnTo} />
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          signIn.mutate()
        }}
      >
        <FormProblems error={signIn.error} fields={['email', 'password']} />
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          problem={at('email')}
        />
        <PasswordField
          value={password}
          onChange={setPassword}
          problem={at('password')}
          beside={
            standing.canMail && (
              <a className="link small" href="/sign-in?forgot=1">
                Forgot it?
              </a>
            )
          }
        />
        <Button type="submit" kind="primary" size="lg" block busy={signIn.isPending}>
          Sign in
        </Button>
      </form>
    </GatePage>
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
        Continue with {name}
      </a>
      <div className="or">or with a password</div>
    </>
  )
}

function NobodyYet() {
  return (
    <GatePage
      title="Nobody can sign in yet"
      about="The server's log has a link that makes the first account. It starts with this address and /setup."
    >
      <p className="hint">No log at hand? A restart prints a new link. The old one ends with it.</p>
    </GatePage>
  )
}
