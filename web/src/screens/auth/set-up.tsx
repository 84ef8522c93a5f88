import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { callApi } from '../../api/call.ts'
import type { InputOf, ResponseOf } from '../../api/contract.ts'
import { isProblem, problemAt } from '../../api/problem.ts'
import { authText } from '../../messages/entry/auth.ts'
import { AuthPage } from '../../shell/auth-page.tsx'
import { Button } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { SelectInput } from '../../ui/inputs.tsx'
import { PasswordField } from './password-field.tsx'
import { TextField } from './text-field.tsx'
import { dropToken, readToken } from './token.ts'

const text = authText.setUp
const NEW = 'new'

type Offered = ResponseOf<'POST /setup/read'>['organizations']

export function SetUp() {
  const [token] = useState(() => readToken('setup'))
  const read = useQuery({
    queryKey: ['setup', token],
    queryFn: () => callApi('POST /setup/read', { body: { token: token ?? '' } }),
    enabled: token !== undefined,
    retry: false,
  })
  if (token === undefined || isProblem(read.error, 'not_found')) return <LinkNeeded />
  if (read.error !== null) return <NotRead error={read.error} retry={() => void read.refetch()} />
  if (read.data === undefined) return null
  return <SetUpForm token={token} offered={read.data.organizations} />
}

function useSetUp(token: string) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Omit<InputOf<'POST /setup'>['body'], 'token'>) =>
      callApi('POST /setup', { body: { token, ...body } }),
    onSuccess: () => {
      dropToken('setup')
      queries.clear()
      void navigate({ to: PATHS.welcome })
    },
    onError: (error) => {
      // The chosen organization gained a member or was deleted: offer the remaining ones.
      if (problemAt(error, 'organizationId') !== undefined)
        void queries.invalidateQueries({ queryKey: ['setup', token] })
    },
  })
}

function SetUpForm({ token, offered }: { token: string; offered: Offered }) {
  const [person, setPerson] = useState<PersonFields>({ name: '', email: '', password: '' })
  const [organization, setOrganization] = useState('')
  const [choice, setChoice] = useState<string>()
  const setUp = useSetUp(token)
  const at = fieldsOf(setUp.error, text.problems)
  const change = (part: Partial<PersonFields>) => setPerson({ ...person, ...part })
  const chosen =
    offered.find(({ id }) => id === choice) ?? (choice === NEW ? undefined : offered[0])
  if (isProblem(setUp.error, 'not_found')) return <LinkNeeded />
  return (
    <AuthPage title={text.title} about={aboutOf(chosen)}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          setUp.mutate({
            ...person,
            ...(chosen === undefined ? { organization } : { organizationId: chosen.id }),
          })
        }}
      >
        <FormProblems error={setUp.error} fields={text.problems} />
        <OrganizationPart
          offered={offered}
          chosen={chosen}
          onChoose={setChoice}
          name={organization}
          onName={setOrganization}
          problem={at('organization')}
        />
        <PersonPart person={person} change={change} isFirst={chosen !== undefined} at={at} />
        <Button type="submit" kind="primary" size="lg" block busy={setUp.isPending}>
          {text.action}
        </Button>
      </form>
    </AuthPage>
  )
}

type OrganizationPartProps = {
  offered: Offered
  chosen: Offered[number] | undefined
  onChoose: (id: string) => void
  name: string
  onName: (name: string) => void
  problem: string | undefined
}

/** Empty if there is only one: its name is already above the form. */
function OrganizationPart(props: OrganizationPartProps) {
  const { offered, chosen, onChoose, name, onName, problem } = props
  return (
    <>
      {offered.length > 1 && (
        <SelectInput
          label={text.organization}
          value={chosen?.id ?? NEW}
          onChange={onChoose}
          options={[
            ...offered.map((one) => ({ value: one.id, label: one.name })),
            { value: NEW, label: text.newOrganization },
          ]}
        />
      )}
      {chosen === undefined && (
        <TextField
          label={offered.length > 1 ? text.organizationName : text.organization}
          autoComplete="organization"
          autoFocus
          maxLength={120}
          value={name}
          onChange={onName}
          problem={problem}
        />
      )}
    </>
  )
}

type PersonFields = { name: string; email: string; password: string }
type PersonPartProps = {
  person: PersonFields
  change: (part: Partial<PersonFields>) => void
  isFirst: boolean
  at: (path: string) => string | undefined
}

function PersonPart({ person, change, isFirst, at }: PersonPartProps) {
  return (
    <>
      <TextField
        label={authText.yourName}
        autoComplete="name"
        autoFocus={isFirst}
        maxLength={120}
        value={person.name}
        onChange={(name) => change({ name })}
        problem={at('name')}
      />
      <TextField
        label={authText.email}
        type="email"
        autoComplete="username"
        value={person.email}
        onChange={(email) => change({ email })}
        problem={at('email')}
      />
      <PasswordField
        isNew
        value={person.password}
        onChange={(password) => change({ password })}
        problem={at('password')}
      />
    </>
  )
}

const aboutOf = (chosen: Offered[number] | undefined): string =>
  chosen === undefined ? text.about : text.aboutOwner({ organization: chosen.name })

function NotRead({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <AuthPage title={text.title}>
      <FormProblems error={error} fields={[]} />
      <Button size="lg" block onClick={retry}>
        {authText.tryAgain}
      </Button>
    </AuthPage>
  )
}

function LinkNeeded() {
  return (
    <AuthPage title={text.endedTitle} about={text.ended}>
      <a className="btn lg block" href={PATHS.signIn}>
        {authText.toSignIn}
      </a>
    </AuthPage>
  )
}
