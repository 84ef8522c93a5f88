import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { signInStatusQuery } from '../../api/queries.ts'
import { accountText } from '../../messages/account.ts'
import { useShell } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { providerSentence } from '../../shared/provider-problems.ts'
import type { Address } from '../../ui/address.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { Mark, StateLabel } from '../../ui/state.tsx'
import { CurrentPassword } from './current-password.tsx'
import { usePersonal } from './use-personal.ts'
import '../../ui/form.css'
import '../../ui/notice.css'

/** Links the account to the identity provider. Hidden if none is configured. */
export function Identity() {
  const { isLinked, hasPassword } = useShell().me.person
  const { problem }: Address = useSearch({ strict: false })
  const provider = useQuery(signInStatusQuery).data?.identityProvider ?? null
  const [asking, setAsking] = useState(false)
  if (provider === null) return null
  return (
    <div className="form-grid">
      <div>
        <h2>{provider}</h2>
        <p>{accountText.identityAbout}</p>
      </div>
      <div className="form-fields">
        {problem !== undefined && !isLinked && (
          <div className="notice is-down" role="alert">
            <Mark state="DOWN" />
            <p className="grow">{providerSentence(problem)}</p>
          </div>
        )}
        {isLinked ? (
          <StateLabel state="UP" word={`Linked with ${provider}`} />
        ) : (
          <StateLabel state="UNKNOWN" word={accountText.notLinked} />
        )}
        <div>
          {isLinked ? (
            <Button
              kind="danger"
              whyNot={hasPassword ? undefined : 'Set a password first. You need a way to sign in.'}
              onClick={() => setAsking(true)}
            >
              {accountText.unlink}
            </Button>
          ) : (
            <Button onClick={() => setAsking(true)}>{accountText.linkWith({ provider })}</Button>
          )}
        </div>
      </div>
      {asking && !isLinked && <Link provider={provider} onClose={() => setAsking(false)} />}
      <Unlink provider={provider} open={asking && isLinked} onClose={() => setAsking(false)} />
    </div>
  )
}

function Link({ provider, onClose }: { provider: string; onClose: () => void }) {
  const { hasPassword } = useShell().me.person
  const [current, setCurrent] = useState('')
  const link = usePersonal('POST /me/identity', {
    inForm: true,
    onDone: ({ address }) => window.location.assign(address),
  })
  return (
    <FormDialog
      onClose={onClose}
      title={`Link with ${provider}`}
      about={accountText.linkAbout}
      action={accountText.continue}
      busy={link.isPending}
      error={link.error}
      fields={['current']}
      onSubmit={() => link.mutate({ body: { current } })}
    >
      {hasPassword && <CurrentPassword value={current} onChange={setCurrent} error={link.error} />}
    </FormDialog>
  )
}

type UnlinkProps = { provider: string; open: boolean; onClose: () => void }

function Unlink({ provider, open, onClose }: UnlinkProps) {
  const unlink = usePersonal('DELETE /me/identity', {
    onDone: () => {
      toast(`Unlinked from ${provider}`)
      onClose()
    },
  })
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={`Unlink from ${provider}?`}
      about={accountText.unlinkAbout}
      action={accountText.confirmUnlink}
      keep={accountText.keepItLinked}
      busy={unlink.isPending}
      run={() => unlink.mutate({})}
    />
  )
}
