import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { callApi } from '../../api/call.ts'
import type { ResponseOf } from '../../api/contract.ts'
import { meQuery, signInStatusQuery } from '../../api/queries.ts'
import { authText } from '../../messages/entry/auth.ts'
import { keepChoice } from '../../session/organization.ts'
import { AuthPage } from '../../shell/auth-page.tsx'
import { Button } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { PasswordField } from './password-field.tsx'
import { TextField } from './text-field.tsx'
import { dropToken, readToken } from './token.ts'
import './auth.css'

const text = authText.invitation
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

type AcceptProps = {
  token: string
  invitation: ResponseOf<'POST /invitations/read'>
  isSignedIn: boolean
  /** The identity provider's name, if one is configured. */
  provider: string | null
}

function Accept({ token, invitation, isSignedIn, provider }: AcceptProps) {
  const { organization, invitedBy, role, hasAccount } = invitation
  const about = text.about[role]({ by: invitedBy })
  const accept = useAccept(token)
  if (isSignedIn)
    return (
      <AuthPage title={text.title({ organization })} about={about}>
        <FormProblems error={accept.error} fields={[]} />
        <JoinButton accept={accept} />
      </AuthPage>
    )
  if (hasAccount)
    return (
      <AuthPage title={text.title({ organization })} about={`${about} ${text.signInToAccept}`}>
        <a className="btn primary lg block" href={`${PATHS.signIn}?${RETURN}`}>
          {text.signIn}
        </a>
      </AuthPage>
    )
  return <NewPerson invitation={invitation} about={about} accept={accept} provider={provider} />
}

/** Names the account that joins: it may not be the one that was invited. */
function JoinButton({ accept }: { accept: ReturnType<typeof useAccept> }) {
  const me = useQuery(meQuery)
  return (
    <Button
      kind="primary"
      size="lg"
      block
      busy={accept.isPending}
      onClick={() => accept.mutate({})}
    >
      {me.data === undefined ? text.join : text.joinAs({ address: me.data.person.email })}
    </Button>
  )
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
  const at = fieldsOf(accept.error, text.problems)
  return (
    <AuthPage title={text.title({ organization: invitation.organization })} about={about}>
      {provider !== null && (
        <>
          <a className="btn lg block" href={`/app/sign-in/oidc?${RETURN}`}>
            {authText.continueWith({ provider })}
          </a>
          <div className="or">{authText.orPassword}</div>
        </>
      )}
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          accept.mutate({ name, password })
        }}
      >
        <FormProblems error={accept.error} fields={text.problems} />
        <TextField
          label={authText.email}
          type="email"
          autoComplete="username"
          readOnly
          value={invitation.email}
          onChange={() => {}}
        />
        <TextField
          label={authText.yourName}
          autoComplete="name"
          autoFocus
          maxLength={120}
          value={name}
          onChange={setName}
          problem={at('name')}
        />
        <PasswordField isNew value={password} onChange={setPassword} problem={at('password')} />
        <Button type="submit" kind="primary" size="lg" block busy={accept.isPending}>
          {text.join}
        </Button>
      </form>
    </AuthPage>
  )
}

function Ended() {
  return (
    <AuthPage title={text.endedTitle} about={text.ended}>
      <a className="btn lg block" href={PATHS.signIn}>
        {authText.toSignIn}
      </a>
    </AuthPage>
  )
}
