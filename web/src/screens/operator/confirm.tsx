// A code or a passkey makes the session fresh again: both open a new one.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../api/call.ts'
import { BrowserProblem, isProblem } from '../../api/problem.ts'
import { meQuery, signInStatusQuery } from '../../api/queries.ts'
import { operatorText } from '../../messages/operator.ts'
import { useShell } from '../../session/organization.ts'
import { hasPasskeys, signInWithPasskey } from '../../shared/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { FormProblems } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'

const text = operatorText.confirm

export function Confirm({ isHeld, onDone }: { isHeld: boolean; onDone: () => void }) {
  const { hasAuthenticator } = useShell().me.person
  const [code, setCode] = useState('')
  const give = useConfirm(() => callApi('POST /session/second-factor', { body: { code } }), onDone)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    give.mutate()
  }
  return (
    <section className="card card-body installation-confirm" aria-labelledby="confirm">
      <form className="form-fields" onSubmit={submit}>
        <div>
          <h2 id="confirm">{text.title}</h2>
          <p className="hint">{isHeld ? text.held : text.about}</p>
        </div>
        <PasskeyChoice onDone={onDone} />
        <FormProblems error={give.error} fields={[]} />
        <TextInput
          label={hasAuthenticator ? text.code : text.recoveryCode}
          {...(hasAuthenticator && { hint: text.hint })}
          autoComplete="one-time-code"
          required
          maxLength={40}
          value={code}
          onChange={setCode}
        />
        <div>
          <Button type="submit" kind="primary" busy={give.isPending}>
            {text.action}
          </Button>
        </div>
      </form>
    </section>
  )
}

function PasskeyChoice({ onDone }: { onDone: () => void }) {
  const status = useQuery(signInStatusQuery)
  const use = useConfirm(signInWithPasskey, onDone)
  if (!status.data?.canPasskey || !hasPasskeys()) return null
  return (
    <>
      <FormProblems error={use.error} fields={[]} />
      <div>
        <Button busy={use.isPending} onClick={() => use.mutate()}>
          {text.passkey}
        </Button>
      </div>
    </>
  )
}

/** A wrong code must not look like a session that has ended: that one ends with the next read. */
function useConfirm(prove: () => Promise<unknown>, onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () =>
      prove().catch((error: unknown) => {
        throw isProblem(error, 'unauthorized') ? new BrowserProblem(text.wrong) : error
      }),
    onSuccess: () => {
      void queries.invalidateQueries(meQuery)
      onDone()
    },
  })
}
