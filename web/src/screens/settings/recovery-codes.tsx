import { useState } from 'react'
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
      title="Save your recovery codes"
      about={lost}
      foot={
        <Button
          kind="primary"
          whyNot={kept ? undefined : 'Confirm first that you saved them.'}
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
      <Choice checked={kept} onChange={setKept} label="I've saved them in a safe place" />
    </Dialog>
  )
}
