// The two most common controls, with their label and problem.
import type { ComponentProps, ReactNode } from 'react'
import { Field } from './field.tsx'

type Shared = {
  label: ReactNode
  value: string
  onChange: (value: string) => void
  problem?: string | undefined
  hint?: ReactNode
  optional?: boolean
}

type TextProps = Shared &
  Pick<
    ComponentProps<'input'>,
    | 'type'
    | 'required'
    | 'autoComplete'
    | 'autoFocus'
    | 'inputMode'
    | 'maxLength'
    | 'placeholder'
    | 'min'
    | 'max'
    | 'spellCheck'
    | 'className'
  >

export function TextInput({
  label,
  value,
  onChange,
  problem,
  hint,
  optional,
  ...input
}: TextProps) {
  return (
    <Field label={label} problem={problem} {...given({ hint, optional })}>
      {(control) => (
        <input
          {...control}
          {...input}
          className={`input ${input.className ?? ''}`}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

type SelectProps<V extends string> = Omit<Shared, 'value' | 'onChange'> & {
  value: V
  onChange: (value: V) => void
  options: readonly { value: V; label: string }[]
}

export function SelectInput<V extends string>(props: SelectProps<V>) {
  const { label, value, onChange, problem, hint, optional, options } = props
  return (
    <Field label={label} problem={problem} {...given({ hint, optional })}>
      {(control) => (
        <select
          {...control}
          className="select"
          value={value}
          // Safe because every option's value is a V.
          onChange={(event) => onChange(event.currentTarget.value as V)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

type TextAreaProps = Shared & Pick<ComponentProps<'textarea'>, 'rows' | 'maxLength'>

export function TextArea({
  label,
  value,
  onChange,
  problem,
  hint,
  optional,
  ...area
}: TextAreaProps) {
  return (
    <Field label={label} problem={problem} {...given({ hint, optional })}>
      {(control) => (
        <textarea
          {...control}
          {...area}
          className="textarea"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          // A browser only scrolls to its first line, and a form's fixed bar would cover the rest.
          onKeyUp={({ key, currentTarget }) => {
            if (key === 'Tab') currentTarget.scrollIntoView({ block: 'nearest' })
          }}
        />
      )}
    </Field>
  )
}

type Given = { hint?: ReactNode; optional?: boolean | undefined }

const given = ({ hint, optional }: Given) => ({
  ...(hint !== undefined && { hint }),
  ...(optional !== undefined && { optional }),
})
