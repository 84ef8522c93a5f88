import { type ReactNode, useState } from 'react'
import { secretText } from '../messages/forms/secrets.ts'
import { Button } from './button.tsx'
import { Secret } from './copy.tsx'
import { Choice } from './field.tsx'
import { Dialog } from './overlay/dialog.tsx'

type ShownOnceProps = {
  onClose: () => void
  title: string
  about: ReactNode
  /** What it is, such as "Secret key". */
  label: string
  secret: string
  hint: ReactNode
  /** Usage notes below it. */
  children?: ReactNode
  /** Next to "Done", such as a download. */
  beside?: ReactNode
}

/** A secret that cannot be shown again: it stays open until the person confirms saving it. */
export function ShownOnce(props: ShownOnceProps) {
  const [kept, setKept] = useState(false)
  const { onClose, title, about, label, secret, hint, children, beside } = props
  return (
    <Dialog
      open
      holds
      onClose={onClose}
      title={title}
      about={about}
      foot={
        <>
          {beside}
          <Button
            {...(kept && { kind: 'primary' as const })}
            whyNot={kept ? undefined : secretText.saveFirst}
            onClick={onClose}
          >
            {secretText.done}
          </Button>
        </>
      }
    >
      <div className="field">
        <span className="label">{label}</span>
        <Secret text={secret} label={label} isMain={!kept} />
        <p className="hint">{hint}</p>
      </div>
      {children}
      <Choice checked={kept} onChange={setKept} label={secretText.saved} />
    </Dialog>
  )
}
