import type { ComponentProps } from 'react'
import { Field } from '../../ui/field.tsx'

type TextFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  problem?: string | undefined
  hint?: string
} & Pick<
  ComponentProps<'input'>,
  'type' | 'autoComplete' | 'autoFocus' | 'readOnly' | 'inputMode' | 'maxLength'
>

/** A text field for the pages before sign-in. */
export function TextField({ label, value, onChange, problem, hint, ...input }: TextFieldProps) {
  return (
    <Field label={label} problem={problem} {...(hint !== undefined && { hint })}>
      {(control) => (
        <input
          {...control}
          {...input}
          className="input tall"
          required
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
