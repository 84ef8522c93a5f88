// Form fields: a label, a control, and one line below with the hint or the problem.
import { type ReactNode, useId } from 'react'
import { otherProblems, problemAt } from '../api/problem.ts'
import { Mark } from './state.tsx'
import './choice.css'
import './notice.css'

export type Control = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

type FieldProps = {
  label: ReactNode
  optional?: boolean
  hint?: ReactNode
  /** Replaces the hint; see `problemAt`. */
  problem?: string | undefined
  /** At the end of the label's line, such as a link. */
  beside?: ReactNode
  className?: string
  children: (control: Control) => ReactNode
}

export function Field({ label, optional, hint, problem, beside, className, children }: FieldProps) {
  const id = useId()
  const below = problem !== undefined || hint !== undefined
  const control: Control = {
    id,
    ...(below && { 'aria-describedby': `${id}-below` }),
    ...(problem !== undefined && { 'aria-invalid': true }),
  }
  return (
    <div className={`field ${className ?? ''}`}>
      <span className="row between">
        <label className="label" htmlFor={id}>
          {label} {optional && <span className="opt">optional</span>}
        </label>
        {beside}
      </span>
      {children(control)}
      {problem !== undefined ? (
        <p className="error is-down" id={`${id}-below`}>
          <Mark state="DOWN" />
          {problem}
        </p>
      ) : (
        hint !== undefined && (
          <p className="hint" id={`${id}-below`}>
            {hint}
          </p>
        )
      )}
    </div>
  )
}

/** Assigns the server's `details` to their fields: `const at = fieldsOf(write.error)`, `problem={at('url')}`. */
export const fieldsOf = (error: unknown) => (path: string) => problemAt(error, path)

/** Problems of no shown field, above the form and announced at once. */
export function FormProblems({ error, fields }: { error: unknown; fields: readonly string[] }) {
  const sentences = otherProblems(error, fields)
  if (sentences.length === 0) return null
  return (
    <div className="notice is-down" role="alert">
      <Mark state="DOWN" />
      <div className="grow">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </div>
  )
}

type ChoiceProps = {
  checked: boolean
  onChange: (checked: boolean) => void
  label: ReactNode
  hint?: ReactNode
  disabled?: boolean
  as?: 'check' | 'switch'
}

export function Choice({ checked, onChange, label, hint, disabled, as = 'check' }: ChoiceProps) {
  return (
    <label className="choice">
      <input
        type="checkbox"
        className={as}
        role={as === 'switch' ? 'switch' : undefined}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        <span className="choice-label">{label}</span>
        {hint !== undefined && <span className="hint">{hint}</span>}
      </span>
    </label>
  )
}
