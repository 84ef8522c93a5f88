import { useState } from 'react'
import { accountText } from '../../messages/account.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Choice } from '../../ui/field.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import './settings.css'

type RecoveryCodesProps = { codes: readonly string[]; lost: string; onClose: () => void }

/** `lost`: what they are for. */
export function RecoveryCodes({ codes, lost, onClose }: RecoveryCodesProps) {
  const [kept, setKept] = useState(false)
  return (
    <Dialog
      open
      holds
      onClose={onClose}
      title={accountText.saveYourRecoveryCodes}
      about={lost}
      foot={
        <Button
          kind="primary"
          whyNot={kept ? undefined : 'Confirm first that you saved them.'}
          onClick={onClose}
        >
          {accountText.done}
        </Button>
      }
    >
      <ol className="recovery">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div>
        <CopyButton text={codes.join('\n')} label={accountText.copyAll} />
      </div>
      <Choice checked={kept} onChange={setKept} label={accountText.codesSaved} />
    </Dialog>
  )
}
