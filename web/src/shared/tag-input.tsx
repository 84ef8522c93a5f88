import { useId } from 'react'
import { useRead } from '../session/use-api.ts'
import { Field } from '../ui/field.tsx'
import './tags.css'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  problem?: string | undefined
  hint?: string
}

const MAX_TEXT = 900

/** A list with commas. What is typed after the last comma is completed from the existing tags. */
export function TagInput({ label, value, onChange, problem, hint }: Props) {
  const list = useId()
  const { data } = useRead('GET /tags', {})
  const before = value.includes(',') ? `${value.slice(0, value.lastIndexOf(','))}, ` : ''
  return (
    <Field
      label={label}
      optional
      problem={problem}
      hint={hint ?? 'Separate tags with commas. A new name creates a tag.'}
    >
      {(control) => (
        <>
          <input
            {...control}
            className="input"
            list={list}
            maxLength={MAX_TEXT}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          <datalist id={list}>
            {data?.data.map(({ id, name }) => (
              <option key={id} value={`${before}${name}`} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}
