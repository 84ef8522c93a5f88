import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  /** One line below the title. */
  about?: ReactNode
  children?: ReactNode
  /** Buttons, the safe one first. */
  foot?: ReactNode
  /** While a secret is unsaved neither Escape nor a click beside closes it. */
  holds?: boolean
  className?: string
}

/** Only to confirm a loss, to show a secret, or for a form too small to be a page. */
export function Dialog({
  open,
  onClose,
  title,
  about,
  children,
  foot,
  holds = false,
  className = '',
}: DialogProps) {
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={holds}
      onOpenChange={(next, details) => {
        if (holds && details.reason === 'escape-key') return details.cancel()
        if (!next) onClose()
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="scrim-back" />
        <Base.Viewport className="scrim clear">
          <Base.Popup className={`dialog ${className}`}>
            <div className="head">
              <div className="grow">
                <Base.Title>{title}</Base.Title>
                {about !== undefined && (
                  <Base.Description className="muted" render={<div />}>
                    {about}
                  </Base.Description>
                )}
              </div>
              {!holds && (
                <Base.Close className="btn ghost square" aria-label="Close">
                  <X className="icon" aria-hidden="true" />
                </Base.Close>
              )}
            </div>
            {children !== undefined && <div className="body">{children}</div>}
            {foot !== undefined && <div className="foot">{foot}</div>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

type ConfirmProps = {
  open: boolean
  onClose: () => void
  title: string
  /** What is removed, in full. */
  about: ReactNode
  /** The verb: "Delete monitor". */
  action: string
  /** The safe button's name. */
  keep?: string
  busy?: boolean
  run: () => void
}

/** Before something is lost: says what is removed, and names the safe button. */
export function Confirm({
  open,
  onClose,
  title,
  about,
  action,
  keep = 'Keep it',
  busy = false,
  run,
}: ConfirmProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      about={about}
      className="confirm"
      foot={
        <>
          <Button onClick={onClose}>{keep}</Button>
          <Button kind="danger solid" busy={busy} onClick={run}>
            {action}
          </Button>
        </>
      }
    />
  )
}
