import { type ReactNode, useEffect } from 'react'
import { Button } from '../button.tsx'
import { lazyPart } from '../lazy.ts'
import type { DialogProps } from './dialog-props.ts'

const base = lazyPart(() => import('./dialog-base.tsx'))

/** Only to confirm a deletion, show a secret, or hold a form too small for a page. */
export function Dialog(props: DialogProps) {
  const parts = base.use()
  useEffect(() => {
    if (props.open) void base.fetch()
  }, [props.open])
  return parts && <parts.Dialog {...props} />
}

type ConfirmProps = {
  open: boolean
  onClose: () => void
  title: string
  /** What is deleted, in full. */
  about: ReactNode
  /** The action button's label: "Delete monitor". */
  action: string
  /** The safe button's label. */
  keep?: string
  busy?: boolean
  run: () => void
}

/** Asks before a destructive action: says what is deleted, and labels the safe button. */
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
