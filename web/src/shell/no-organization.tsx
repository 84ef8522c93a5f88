import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../api/call.ts'
import { Button } from '../ui/button.tsx'
import { Field, FormProblems, fieldsOf } from '../ui/field.tsx'
import { AuthPage } from './auth-page.tsx'
import { useSignOut } from './menus.tsx'

/** For people in no organization: they create one or wait for an invitation. */
export function NoOrganization() {
  const [name, setName] = useState('')
  const queries = useQueryClient()
  const signOut = useSignOut()
  const make = useMutation({
    mutationFn: () => callApi('POST /organizations', { body: { name } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['me'] }),
  })
  const at = fieldsOf(make.error)
  return (
    <AuthPage
      title="You belong to no organization"
      about="Open the link of an invitation, or make an organization of your own."
    >
      <FormProblems error={make.error} fields={['name']} />
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate()
        }}
      >
        <Field label="Name of the organization" problem={at('name')}>
          {(control) => (
            <input
              {...control}
              className="input tall"
              value={name}
              required
              maxLength={120}
              autoComplete="organization"
              onChange={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Button type="submit" kind="primary" size="lg" block busy={make.isPending}>
          Make organization
        </Button>
        <Button kind="ghost" block onClick={() => void signOut()}>
          Sign out
        </Button>
      </form>
    </AuthPage>
  )
}
