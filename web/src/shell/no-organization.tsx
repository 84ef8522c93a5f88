import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../api/call.ts'
import { noAccessText } from '../messages/entry/no-access.ts'
import { Button } from '../ui/button.tsx'
import { Field, FormProblems, fieldsOf } from '../ui/field.tsx'
import { AuthPage } from './auth-page.tsx'
import { useSignOut } from './menus.tsx'

const text = noAccessText.noOrganization

/** For people in no organization: they create one or wait for an invitation. */
export function NoOrganization() {
  const [name, setName] = useState('')
  const queries = useQueryClient()
  const signOut = useSignOut()
  const create = useMutation({
    mutationFn: () => callApi('POST /organizations', { body: { name } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['me'] }),
  })
  const at = fieldsOf(create.error, text.problems)
  return (
    <AuthPage title={text.title} about={text.about}>
      <FormProblems error={create.error} fields={text.problems} />
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Field label={text.name} problem={at('name')}>
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
        <Button type="submit" kind="primary" size="lg" block busy={create.isPending}>
          {text.action}
        </Button>
        <Button kind="ghost" block onClick={() => void signOut()}>
          {text.signOut}
        </Button>
      </form>
    </AuthPage>
  )
}
