import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResponseOf } from '../../api/contract.ts'
import { passkeysText as text } from '../../messages/entry/passkeys.ts'
import { useShell } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { plural } from '../../time/figures.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { fieldsOf } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { StateLabel } from '../../ui/state.tsx'
import { CurrentPassword } from './current-password.tsx'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { passkeysQuery, usePersonal } from './use-personal.ts'
import '../../ui/copy.css'
import '../../ui/form.css'

type Begun = ResponseOf<'POST /me/second-factor'>
type Step =
  | { at: 'ASK' | 'REMOVE' }
  | { at: 'CONFIRM'; begun: Begun }
  | { at: 'CODES'; codes: readonly string[] }

export function SecondFactor() {
  const { secondFactor, hasAuthenticator, recoveryCodesLeft } = useShell().me.person
  const [step, setStep] = useState<Step>()
  const close = () => setStep(undefined)
  return (
    <div className="form-grid">
      <div>
        <h2>Two-factor authentication</h2>
        <p>A code from your authenticator app when you sign in.</p>
      </div>
      <div className="form-fields">
        {hasAuthenticator ? (
          <StateLabel state="UP" word="On.">
            {plural(recoveryCodesLeft, 'recovery code')} left
          </StateLabel>
        ) : secondFactor ? (
          <StateLabel state="UNKNOWN" word={text.onlyPasskey} />
        ) : (
          <StateLabel state="DEGRADED" word="Off. You sign in with just a password." />
        )}
        <div>
          {hasAuthenticator ? (
            <Button kind="danger" onClick={() => setStep({ at: 'REMOVE' })}>
              Remove…
            </Button>
          ) : (
            <Button onClick={() => setStep({ at: 'ASK' })}>Set up an authenticator</Button>
          )}
        </div>
      </div>
      {step?.at === 'ASK' && (
        <ConfirmPassword onClose={close} onBegun={(begun) => setStep({ at: 'CONFIRM', begun })} />
      )}
      {step?.at === 'CONFIRM' && (
        <Confirm
          begun={step.begun}
          onClose={close}
          onCodes={(codes) => setStep({ at: 'CODES', codes })}
        />
      )}
      {step?.at === 'CODES' && (
        <RecoveryCodes codes={step.codes} lost={text.lostAuthenticator} onClose={close} />
      )}
      {step?.at === 'REMOVE' && <Remove onClose={close} />}
    </div>
  )
}

function ConfirmPassword({
  onClose,
  onBegun,
}: {
  onClose: () => void
  onBegun: (begun: Begun) => void
}) {
  const [current, setCurrent] = useState('')
  const begin = usePersonal('POST /me/second-factor', { inForm: true, onDone: onBegun })
  return (
    <FormDialog
      onClose={onClose}
      title="Set up an authenticator"
      about="Confirm your password to continue."
      action="Continue"
      busy={begin.isPending}
      error={begin.error}
      fields={['current']}
      onSubmit={() => begin.mutate({ body: { current } })}
    >
      <CurrentPassword value={current} onChange={setCurrent} error={begin.error} />
    </FormDialog>
  )
}

type ConfirmProps = {
  begun: Begun
  onClose: () => void
  onCodes: (codes: readonly string[]) => void
}

function Confirm({ begun, onClose, onCodes }: ConfirmProps) {
  const [code, setCode] = useState('')
  const confirm = usePersonal('POST /me/second-factor/confirm', {
    inForm: true,
    onDone: ({ recoveryCodes }) => onCodes(recoveryCodes),
  })
  return (
    <FormDialog
      onClose={onClose}
      title="Scan this with your authenticator"
      about="Then enter the 6-digit code it shows."
      action="Confirm"
      busy={confirm.isPending}
      error={confirm.error}
      fields={['code']}
      onSubmit={() => confirm.mutate({ body: { code } })}
    >
      <QrCode text={begun.address} label="Code to scan" />
      <div className="field">
        <span className="label">Or enter this key</span>
        <div className="secret">
          <code>{begun.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
          <CopyButton text={begun.secret} />
        </div>
      </div>
      <TextInput
        label="6-digit code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        required
        maxLength={10}
        value={code}
        onChange={setCode}
        problem={fieldsOf(confirm.error)('code')}
      />
    </FormDialog>
  )
}

function Remove({ onClose }: { onClose: () => void }) {
  const [code, setCode] = useState('')
  const passkeys = useQuery(passkeysQuery)
  const remove = usePersonal('POST /me/second-factor/remove', {
    inForm: true,
    onDone: () => {
      toast('Two-factor authentication is off')
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title="Turn off two-factor authentication?"
      about={passkeys.data?.data.length ? text.removeAuthenticator : text.removeOnlyAuthenticator}
      action="Turn off"
      busy={remove.isPending}
      error={remove.error}
      fields={['code']}
      onSubmit={() => remove.mutate({ body: { code } })}
    >
      <TextInput
        label="6-digit code or a recovery code"
        autoComplete="one-time-code"
        autoFocus
        required
        maxLength={40}
        value={code}
        onChange={setCode}
        problem={fieldsOf(remove.error)('code')}
      />
    </FormDialog>
  )
}
