// What can be in the address bar is: filters, search, page. Values are plain strings.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

export type Address = Record<string, string | undefined>

/**
 * The named parts of the address, with what they are when they are not there:
 * `const [address, go] = useAddress({ q: '', page: '1' })`. What equals its default leaves the address.
 */
export function useAddress<const D extends Record<string, string>>(defaults: D) {
  const search: Address = useSearch({ strict: false })
  const navigate = useNavigate()
  const keys = Object.keys(defaults) as (keyof D & string)[]
  const entries = keys.map((key) => [key, search[key] ?? defaults[key]])
  // Safe because every key of D is there, with a string.
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

/** For a link: the address with this changed. */
function cleaned(address: Address, defaults: Record<string, string>): Address {
  return Object.fromEntries(
    Object.entries(address).filter(
      ([key, value]) => value !== undefined && value !== defaults[key],
    ),
  )
}
