import { fieldsOf } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'

type CurrentPasswordProps = { value: string; onChange: (value: string) => void; error: unknown }

/** Once more, so that nobody changes how somebody signs in at their open screen. */
export function CurrentPassword({ value, onChange, error }: CurrentPasswordProps) {
  return (
    <TextInput
      label="Password"
      type="password"
      autoComplete="current-password"
      autoFocus
      value={value}
      onChange={onChange}
      problem={fieldsOf(error)('current')}
    />
  )
}
