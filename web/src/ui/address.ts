// Filters, search and page are kept in the URL. Values are plain strings.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

export type Address = Record<string, string | undefined>

/** The named URL parameters with their defaults:
 * `const [address, go] = useAddress({ q: '', page: '1' })`. A value equal to its default is left out of the URL. */
export function useAddress<const D extends Record<string, string>>(defaults: D) {
  const search: Address = useSearch({ strict: false })
  const navigate = useNavigate()
  const keys = Object.keys(defaults) as (keyof D & string)[]
  const entries = keys.map((key) => [key, search[key] ?? defaults[key]])
  // Safe because every key of D is present, with a string value.
  const address = Object.fromEntries(entries) as { [K in keyof D]: string }
  const go = useCallback(
    (change: { [K in keyof D]?: string }, options: { replace?: boolean } = {}) => {
      const next = (before: Address): Address => cleaned({ ...before, ...change }, defaults)
      void navigate({
        to: '.',
        search: next,
        replace: options.replace ?? false,
        resetScroll: false,
      })
    },
    [navigate, defaults],
  )
  return [address, go] as const
}

/** Removes the parameters that equal their defaults. */
function cleaned(address: Address, defaults: Record<string, string>): Address {
  return Object.fromEntries(
    Object.entries(address).filter(
      ([key, value]) => value !== undefined && value !== defaults[key],
    ),
  )
}
