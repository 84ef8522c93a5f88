import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Field } from '../../ui/field.tsx'
import './auth.css'

type PasswordFieldProps = {
  label?: string
  value: string
  onChange: (value: string) => void
  /** For a new password, which the browser's password manager can suggest. */
  isNew?: boolean
  problem: string | undefined
  beside?: ReactNode
}

export function PasswordField({
  label = 'Password',
  value,
  onChange,
  isNew,
  problem,
  beside,
}: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <Field
      label={label}
      problem={problem}
      beside={beside}
      {...(isNew && { hint: 'At least 12 characters. A few words are easier than signs.' })}
    >
      {(control) => (
        <span className="reveal">
          <input
            {...control}
            className="input tall"
            type={shown ? 'text' : 'password'}
            autoComplete={isNew ? 'new-password' : 'current-password'}
            required
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          <button
            type="button"
            className="reveal-eye"
            aria-label={shown ? 'Hide password' : 'Show password'}
            onClick={() => setShown(!shown)}
          >
            <Icon className="icon" aria-hidden="true" />
          </button>
        </span>
      )}
    </Field>
  )
}
