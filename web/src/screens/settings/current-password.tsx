import { accountText } from '../../messages/account.ts'
import { fieldsOf } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'

type CurrentPasswordProps = { value: string; onChange: (value: string) => void; error: unknown }

/** Asked again, so that a passerby at an unlocked screen cannot change how the person signs in. */
export function CurrentPassword({ value, onChange, error }: CurrentPasswordProps) {
  return (
    <TextInput
      label={accountText.password}
      type="password"
      autoComplete="current-password"
      autoFocus
      value={value}
      onChange={onChange}
      problem={fieldsOf(error)('current')}
    />
  )
}
