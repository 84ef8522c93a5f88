import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Address } from './address.ts'

type Option = { value: string; label: ReactNode; tone?: string }
type SegmentProps = {
  /** What it chooses, for those who do not see it. */
  label: string
  /** Its name in the address; the first option stands for "not there". */
  name: string
  value: string
  options: readonly Option[]
  /** In which they stand, when that is not as they are given. */
  order?: readonly string[]
}

/** One of a few, in the address. Another choice starts at the first page again. */
export function Segment({ label, name, value, options, order }: SegmentProps) {
  const [first] = options
  const shown = order?.flatMap((one) => options.filter((option) => option.value === one)) ?? options
  return (
    <nav className="segment" aria-label={label}>
      {shown.map((option) => (
        <Link
          key={option.value}
          to="."
          resetScroll={false}
          search={(before: Address): Address => ({
            ...before,
            page: undefined,
            [name]: option.value === first?.value ? undefined : option.value,
          })}
          className={option.tone ?? ''}
          // Else every choice that says less than the address would count as the current one.
          activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
          {...(option.value === value && { 'aria-current': true })}
        >
          {option.label}
        </Link>
      ))}
    </nav>
  )
}
