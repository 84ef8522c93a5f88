import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Address } from './address.ts'
import './segment.css'

type Option = { value: string; label: ReactNode; tone?: string }
type SegmentProps = {
  /** What it selects, for screen readers. */
  label: string
  /** The URL parameter; the first option is its default. */
  name: string
  value: string
  options: readonly Option[]
  /** The display order, if it differs from the order of `options`. */
  order?: readonly string[]
}

/** A choice of one option, kept in the URL. Changing it returns to the first page. */
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
          // Otherwise every option whose parameters are a subset of the URL's would count as current.
          activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
          {...(option.value === value && { 'aria-current': true })}
        >
          {option.label}
        </Link>
      ))}
    </nav>
  )
}
