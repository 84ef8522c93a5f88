import { useState } from 'react'
import type { ResponseOf } from '../../api/contract.ts'
import { useShell } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { plural } from '../../time/figures.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Choice, fieldsOf } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { StateLabel } from '../../ui/state.tsx'
import { CurrentPassword } from './current-password.tsx'
import { QrCode } from './qr-code.tsx'
import { usePersonal } from './use-personal.ts'
import '../../ui/copy.css'
import '../../ui/form.css'
import './settings.css'

type Begun = ResponseOf<'POST /me/second-factor'>
type Step =
  | { at: 'ASK' | 'REMOVE' }
  | { at: 'CONFIRM'; begun: Begun }
  | { at: 'CODES'; codes: readonly string[] }

export function SecondFactor() {
  const { secondFactor, recoveryCodesLeft } = useShell().me.person
  const [step, setStep] = useState<Step>()
  const close = () => setStep(undefined)
  return (
    <div className="form-grid">
      <div>
        <h2>Second factor</h2>
        <p>Six digits from an authenticator, beside the password.</p>
      </div>
      <div className="form-fields">
        {secondFactor ? (
          <StateLabel state="UP" word="Authenticator is set up">
            {plural(recoveryCodesLeft, 'recovery code')} left
          </StateLabel>
        ) : (
          <StateLabel state="DEGRADED" word="You sign in with a password alone" />
        )}
        <div>
          {secondFactor ? (
            <Button kind="danger" onClick={() => setStep({ at: 'REMOVE' })}>
              Remove it…
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
      {step?.at === 'CODES' && <Codes codes={step.codes} onClose={close} />}
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
      about="Your password once more, so that nobody does this at your open screen."
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
      about="Then enter the six digits it shows."
      action="Confirm"
      busy={confirm.isPending}
      error={confirm.error}
      fields={['code']}
      onSubmit={() => confirm.mutate({ body: { code } })}
    >
      <QrCode text={begun.address} label="Code to scan" />
      <div className="field">
        <span className="label">Or type this key</span>
        <div className="secret">
          <code>{begun.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
          <CopyButton text={begun.secret} />
        </div>
      </div>
      <TextInput
        label="Six digits"
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

function Codes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [kept, setKept] = useState(false)
  return (
    <Dialog
      open
      holds
      onClose={onClose}
      title="Keep these recovery codes"
      about="Each signs you in once when the authenticator is lost. They are shown once."
      foot={
        <Button
          kind="primary"
          whyNot={kept ? undefined : 'Say first that they are stored.'}
          onClick={onClose}
        >
          Done
        </Button>
      }
    >
      <ol className="recovery">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div>
        <CopyButton text={codes.join('\n')} label="Copy all" />
      </div>
      <Choice checked={kept} onChange={setKept} label="I have stored them in a safe place" />
    </Dialog>
  )
}

function Remove({ onClose }: { onClose: () => void }) {
  const [code, setCode] = useState('')
  const remove = usePersonal('POST /me/second-factor/remove', {
    inForm: true,
    onDone: () => {
      toast('The second factor is removed')
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title="Remove the second factor?"
      about="From then on the password alone signs you in, and the recovery codes end."
      action="Remove it"
      busy={remove.isPending}
      error={remove.error}
      fields={['code']}
      onSubmit={() => remove.mutate({ body: { code } })}
    >
      <TextInput
        label="Six digits, or a recovery code"
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
