// How a dialog takes, traps and returns the focus.

import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { controlsText } from '../../messages/controls.ts'
import type { DialogProps } from './dialog-props.ts'
import './dialog.css'

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
                <Base.Close className="btn ghost square" aria-label={controlsText.close}>
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
