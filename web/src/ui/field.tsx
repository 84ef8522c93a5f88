// Form fields: a label, a control, and one line below with the hint or the problem.
import { type ReactNode, useId } from 'react'
import { countProblems, otherProblems, problemAt } from '../api/problem.ts'
import { errorText } from '../messages/errors.ts'
import type { FieldSentences } from '../messages/field-problems.ts'
import { fieldText } from '../messages/forms/field.ts'
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
          {label} {optional && <span className="opt">{fieldText.optional}</span>}
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

/** Assigns the server's `details` to their fields: `const at = fieldsOf(write.error, SENTENCES)`, `problem={at('url')}`. */
export const fieldsOf = (error: unknown, sentences?: FieldSentences) => (path: string) =>
  problemAt(error, path, sentences)

type FormProblemsProps = {
  error: unknown
  /** The fields that show their own problem: their names, or their sentences. */
  fields: readonly string[] | FieldSentences
}

/** The summary above a form, announced at once: how many fields to correct, and the problems of no shown field. */
export function FormProblems({ error, fields }: FormProblemsProps) {
  const names: readonly string[] = Array.isArray(fields) ? fields : Object.keys(fields)
  const sentences = otherProblems(error, names)
  const count = countProblems(error, names)
  if (sentences.length + count === 0) return null
  return (
    <div className="notice is-down" role="alert">
      <Mark state="DOWN" />
      <div className="grow">
        {count > 0 && (
          <p>
            <b className="strong">{errorText.checkFields({ count })}</b> {errorText.nothingSaved}
          </p>
        )}
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
