import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi } from '../../api/call.ts'
import { isProblem } from '../../api/problem.ts'
import { GatePage } from '../../shell/gate-page.tsx'
import { Button } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { PasswordField } from './password-field.tsx'
import { TextField } from './text-field.tsx'
import { dropToken, takeToken } from './token.ts'

const FIELDS = ['organization', 'name', 'email', 'password']

export function SetUp() {
  const [token] = useState(() => takeToken('setup'))
  if (token === undefined) return <LinkNeeded />
  return <SetUpForm token={token} />
}

function SetUpForm({ token }: { token: string }) {
  const [body, setBody] = useState({ organization: '', name: '', email: '', password: '' })
  const navigate = useNavigate()
  const queries = useQueryClient()
  const setUp = useMutation({
    mutationFn: () => callApi('POST /setup', { body: { token, ...body } }),
    onSuccess: () => {
      dropToken('setup')
      queries.clear()
      void navigate({ to: '/welcome' })
    },
  })
  const at = fieldsOf(setUp.error)
  const change = (part: Partial<typeof body>) => setBody({ ...body, ...part })
  if (isProblem(setUp.error, 'not_found')) return <LinkNeeded />
  return (
    <GatePage
      title="Set up Upvane"
      about="This makes the organization and its first account, which may do everything."
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          setUp.mutate()
        }}
      >
        <FormProblems error={setUp.error} fields={FIELDS} />
        <TextField
          label="Organization"
          autoComplete="organization"
          autoFocus
          maxLength={120}
          value={body.organization}
          onChange={(organization) => change({ organization })}
          problem={at('organization')}
        />
        <TextField
          label="Your name"
          autoComplete="name"
          maxLength={120}
          value={body.name}
          onChange={(name) => change({ name })}
          problem={at('name')}
        />
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          value={body.email}
          onChange={(email) => change({ email })}
          problem={at('email')}
        />
        <PasswordField
          isNew
          value={body.password}
          onChange={(password) => change({ password })}
          problem={at('password')}
        />
        <Button type="submit" kind="primary" size="lg" block busy={setUp.isPending}>
          Make the account
        </Button>
      </form>
    </GatePage>
  )
}

function LinkNeeded() {
  return (
    <GatePage
      title="This link does not work any more"
      about="It was used, or a newer one was printed. The server's log has the newest."
    >
      <a className="btn lg block" href="/sign-in">
        Go to sign-in
      </a>
    </GatePage>
  )
}
