import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { callApi } from '../../api/call.ts'
import type { ResponseOf } from '../../api/contract.ts'
import { signInStatusQuery } from '../../api/queries.ts'
import { keepChoice } from '../../session/organization.ts'
import { AuthPage } from '../../shell/auth-page.tsx'
import { Button } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { PasswordField } from './password-field.tsx'
import { TextField } from './text-field.tsx'
import { dropToken, readToken } from './token.ts'
import './auth.css'

const RETURN = `returnTo=${encodeURIComponent(PATHS.invitation)}`

export function Invitation() {
  const [token] = useState(() => readToken('invitation'))
  const status = useQuery(signInStatusQuery)
  const read = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => callApi('POST /invitations/read', { body: { token: token ?? '' } }),
    enabled: token !== undefined,
    retry: false,
  })
  if (token === undefined || read.error !== null) return <Ended />
  if (read.data === undefined || status.data === undefined) return null
  const isSignedIn = status.data.step === 'SIGNED_IN'
  const provider = status.data.identityProvider
  return <Accept token={token} invitation={read.data} isSignedIn={isSignedIn} provider={provider} />
}

const AS = {
  READ_ONLY: 'to read along',
  MEMBER: 'as a member',
  ADMIN: 'as an admin',
  OWNER: 'as an owner',
}

type AcceptProps = {
  token: string
  invitation: ResponseOf<'POST /invitations/read'>
  isSignedIn: boolean
  /** The identity provider's name, if one is configured. */
  provider: string | null
}

function Accept({ token, invitation, isSignedIn, provider }: AcceptProps) {
  const { organization, invitedBy, role, email, hasAccount } = invitation
  const about = `${invitedBy} invites ${email} ${AS[role]}.`
  const accept = useAccept(token)
  if (isSignedIn)
    return (
      <AuthPage title={`Join ${organization}`} about={about}>
        <FormProblems error={accept.error} fields={[]} />
        <Button
          kind="primary"
          size="lg"
          block
          busy={accept.isPending}
          onClick={() => accept.mutate({})}
        >
          Join with the account you are signed in with
        </Button>
      </AuthPage>
    )
  if (hasAccount)
    return (
      <AuthPage
        title={`Join ${organization}`}
        about={`${about} There is an account with this address: sign in to accept.`}
      >
        <a className="btn primary lg block" href={`${PATHS.signIn}?${RETURN}`}>
          Sign in
        </a>
      </AuthPage>
    )
  return <NewPerson invitation={invitation} about={about} accept={accept} provider={provider} />
}

function useAccept(token: string) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (chosen: { name?: string; password?: string }) =>
      callApi('POST /invitations/accept', { body: { token, ...chosen } }),
    onSuccess: ({ organizationId }) => {
      dropToken('invitation')
      keepChoice(organizationId)
      queries.clear()
      void navigate({ to: PATHS.home })
    },
  })
}

type NewPersonProps = {
  invitation: ResponseOf<'POST /invitations/read'>
  about: string
  accept: ReturnType<typeof useAccept>
  provider: string | null
}

function NewPerson({ invitation, about, accept, provider }: NewPersonProps) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const at = fieldsOf(accept.error)
  return (
    <AuthPage title={`Join ${invitation.organization}`} about={about}>
      {provider !== null && (
        <>
          <a className="btn lg block" href={`/app/sign-in/oidc?${RETURN}`}>
            Continue with {provider}
          </a>
          <div className="or">or with a password</div>
        </>
      )}
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          accept.mutate({ name, password })
        }}
      >
        <FormProblems error={accept.error} fields={['name', 'password']} />
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          readOnly
          value={invitation.email}
          onChange={() => {}}
        />
        <TextField
          label="Your name"
          autoComplete="name"
          autoFocus
          maxLength={120}
          value={name}
          onChange={setName}
          problem={at('name')}
        />
        <PasswordField isNew value={password} onChange={setPassword} problem={at('password')} />
        <Button type="submit" kind="primary" size="lg" block busy={accept.isPending}>
          Join
        </Button>
      </form>
    </AuthPage>
  )
}

function Ended() {
  return (
    <AuthPage
      title="This invitation does not work any more"
      about="It was used, withdrawn, or has ended. Ask whoever invited you for a new one."
    >
      <a className="btn lg block" href={PATHS.signIn}>
        Go to sign-in
      </a>
    </AuthPage>
  )
}
