import { type ReactNode, useEffect } from 'react'
import { Button } from './button.tsx'
import { later } from './later.ts'

const base = later(() => import('./dialog-base.tsx'))

export type DialogProps = {
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
export function Dialog(props: DialogProps) {
  const parts = base.use()
  useEffect(() => {
    if (props.open) base.fetch()
  }, [props.open])
  return parts && <parts.Dialog {...props} />
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
