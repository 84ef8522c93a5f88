import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResponseOf } from '../../api/contract.ts'
import { accountText } from '../../messages/account.ts'
import { passkeysText as text } from '../../messages/entry/passkeys.ts'
import { useShell } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
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
        <h2>{accountText.twoFactorAuthentication}</h2>
        <p>{accountText.twoFactorAbout}</p>
      </div>
      <div className="form-fields">
        {hasAuthenticator ? (
          <StateLabel state="UP" word={accountText.on}>
            {accountText.codesLeft({ count: recoveryCodesLeft })}
          </StateLabel>
        ) : secondFactor ? (
          <StateLabel state="UNKNOWN" word={text.onlyPasskey} />
        ) : (
          <StateLabel state="DEGRADED" word={accountText.twoFactorOff} />
        )}
        <div>
          {hasAuthenticator ? (
            <Button kind="danger" onClick={() => setStep({ at: 'REMOVE' })}>
              {accountText.remove}
            </Button>
          ) : (
            <Button onClick={() => setStep({ at: 'ASK' })}>
              {accountText.setUpAnAuthenticator}
            </Button>
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
      title={accountText.setUpAnAuthenticator}
      about={accountText.confirmPassword}
      action={accountText.continue}
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
      title={accountText.scanTitle}
      about={accountText.scanAbout}
      action={accountText.confirm}
      busy={confirm.isPending}
      error={confirm.error}
      fields={['code']}
      onSubmit={() => confirm.mutate({ body: { code } })}
    >
      <QrCode text={begun.address} label={accountText.codeToScan} />
      <div className="field">
        <span className="label">{accountText.orEnterThisKey}</span>
        <div className="secret">
          <code>{begun.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
          <CopyButton text={begun.secret} />
        </div>
      </div>
      <TextInput
        label={accountText.sixDigitCode}
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
      title={accountText.askTurnOff}
      about={passkeys.data?.data.length ? text.removeAuthenticator : text.removeOnlyAuthenticator}
      action={accountText.turnOff}
      busy={remove.isPending}
      error={remove.error}
      fields={['code']}
      onSubmit={() => remove.mutate({ body: { code } })}
    >
      <TextInput
        label={accountText.codeOrRecoveryCode}
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
