import { useQuery } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { MAX_PASSKEYS } from '../../../../src/domain/people/passkey.ts'
import type { ItemOf } from '../../api/contract.ts'
import { signInStatusQuery } from '../../api/queries.ts'
import { passkeysText as text } from '../../messages/entry/passkeys.ts'
import { useShell } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { hasPasskeys } from '../../shared/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { CurrentPassword } from './current-password.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { passkeysQuery, usePersonal } from './use-personal.ts'
import '../../ui/form.css'
import './settings.css'

type Passkey = ItemOf<'GET /me/passkeys'>
type Step =
  | { at: 'ADD' }
  | { at: 'CODES'; codes: readonly string[] }
  | { at: 'REMOVE'; passkey: Passkey }

export function Passkeys() {
  const passkeys = useQuery(passkeysQuery)
  const [step, setStep] = useState<Step>()
  const close = () => setStep(undefined)
  return (
    <div className="form-grid">
      <div>
        <h2>{text.title}</h2>
        <p>{text.about}</p>
      </div>
      <div className="form-fields">
        <Loaded query={passkeys} loading={<Skeleton width="40%" />}>
          {({ data }) => (
            <>
              <List of={data} onRemove={(passkey) => setStep({ at: 'REMOVE', passkey })} />
              <AddButton count={data.length} onClick={() => setStep({ at: 'ADD' })} />
            </>
          )}
        </Loaded>
      </div>
      {step?.at === 'ADD' && (
        <AddPasskey
          onClose={close}
          onCodes={(codes) => setStep(codes.length > 0 ? { at: 'CODES', codes } : undefined)}
        />
      )}
      {step?.at === 'CODES' && (
        <RecoveryCodes codes={step.codes} lost={text.lostPasskey} onClose={close} />
      )}
      {step?.at === 'REMOVE' && (
        <Remove passkey={step.passkey} isLast={passkeys.data?.data.length === 1} onClose={close} />
      )}
    </div>
  )
}

function List({ of, onRemove }: { of: readonly Passkey[]; onRemove: (passkey: Passkey) => void }) {
  const { hasAuthenticator, recoveryCodesLeft } = useShell().me.person
  if (of.length === 0) return <p className="muted small">{text.none}</p>
  return (
    <>
      <ul className="passkeys">
        {of.map((passkey) => (
          <li key={passkey.id}>
            <Fingerprint className="icon" aria-hidden="true" />
            <div className="two grow">
              <span className="strong-2 truncate" title={passkey.name}>
                {passkey.name}
              </span>
              <span className="num">
                {text.added} <Time at={passkey.createdAt} />,{' '}
                {passkey.lastUsedAt === null ? (
                  text.neverUsed
                ) : (
                  <>
                    {text.used} <Time at={passkey.lastUsedAt} as="ago" />
                  </>
                )}
              </span>
            </div>
            <Button
              size="sm"
              aria-label={text.removeNamed({ name: passkey.name })}
              onClick={() => onRemove(passkey)}
            >
              {text.remove}
            </Button>
          </li>
        ))}
      </ul>
      {!hasAuthenticator && (
        <p className="muted small">{text.codesLeft({ count: recoveryCodesLeft })}</p>
      )}
    </>
  )
}

function AddButton({ count, onClick }: { count: number; onClick: () => void }) {
  const status = useQuery(signInStatusQuery)
  const whyNot = whyNoPasskey(status.data?.canPasskey ?? true, count)
  return (
    <div>
      <Button whyNot={whyNot} onClick={onClick}>
        {text.add}
      </Button>
      {whyNot !== undefined && <p className="hint">{whyNot}</p>}
    </div>
  )
}

function whyNoPasskey(canPasskey: boolean, count: number): string | undefined {
  if (!canPasskey) return text.noSite
  if (!hasPasskeys()) return text.unsupported
  return count >= MAX_PASSKEYS ? text.full : undefined
}

type RemoveProps = { passkey: Passkey; isLast: boolean; onClose: () => void }

function Remove({ passkey, isLast, onClose }: RemoveProps) {
  const { hasPassword, hasAuthenticator } = useShell().me.person
  const [current, setCurrent] = useState('')
  const remove = usePersonal('POST /me/passkeys/{passkeyId}/remove', {
    inForm: true,
    onDone: () => {
      toast(text.removeDone)
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title={text.removeTitle({ name: passkey.name })}
      about={isLast && !hasAuthenticator && hasPassword ? text.removeLast : text.removeAbout}
      action={text.removeAction}
      busy={remove.isPending}
      error={remove.error}
      fields={['current']}
      onSubmit={() => remove.mutate({ params: { passkeyId: passkey.id }, body: { current } })}
    >
      {hasPassword && (
        <CurrentPassword value={current} onChange={setCurrent} error={remove.error} />
      )}
    </FormDialog>
  )
}
