import { type ReactNode, useId } from 'react'
import { controlsText } from '../../messages/controls.ts'
import type { FieldSentences } from '../../messages/field-problems.ts'
import { Button } from '../button.tsx'
import { FormProblems } from '../field.tsx'
import { useFocusProblem } from '../use-focus-problem.ts'
import { Dialog } from './dialog.tsx'

type FormDialogProps = {
  onClose: () => void
  title: string
  about?: ReactNode
  /** The submit button's label: "Create key". */
  action: string
  /** It deletes something. */
  danger?: boolean
  busy: boolean
  error: unknown
  /** The fields that show their own problem: their names, or their sentences. */
  fields: readonly string[] | FieldSentences
  onSubmit: () => void
  children: ReactNode
}

/** A form too small for a page. */
export function FormDialog(props: FormDialogProps) {
  const { onClose, title, about, action, danger, busy, error, fields, onSubmit, children } = props
  const id = useId()
  useFocusProblem(error)
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      {...(about !== undefined && { about })}
      foot={
        <>
          <Button onClick={onClose}>{controlsText.cancel}</Button>
          <Button kind={danger ? 'danger solid' : 'primary'} type="submit" form={id} busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) onSubmit()
        }}
      >
        <FormProblems error={error} fields={fields} />
        {children}
      </form>
    </Dialog>
  )
}
