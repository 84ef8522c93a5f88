import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { authText } from '../../messages/entry/auth.ts'
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
  label = authText.password,
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
      {...(isNew && { hint: authText.passwordHint })}
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
            aria-label={shown ? authText.hidePassword : authText.showPassword}
            onClick={() => setShown(!shown)}
          >
            <Icon className="icon" aria-hidden="true" />
          </button>
        </span>
      )}
    </Field>
  )
}
