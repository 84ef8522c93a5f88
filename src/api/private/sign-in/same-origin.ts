// A write must come from a page of this very origin: browsers say so themselves, and other sites cannot lie.
import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../../../platform/api-error.ts'

/** A page of another site asks, which browsers say; what says nothing may be any program. */
export function isCrossSite(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin'
}

export function isSameOrigin(headers: IncomingHttpHeaders, origin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin === origin
}

/**
 * Whether the page came from this server under a name that BASE_URL does not have: it is missing or wrong. Browsers send
 * no Sec-Fetch-Site over plain HTTP, so that only the configured origin is believed there.
 */
export function isUnderAnotherName(headers: IncomingHttpHeaders, origin: string): boolean {
  const { origin: from, host } = headers
  if (headers['sec-fetch-site'] !== undefined || !host || from === origin) return false
  return from === `http://${host}` || from === `https://${host}`
}

/** Says nothing about the configuration but that it does not fit. */
export function refuseElsewhere(headers: IncomingHttpHeaders, origin: string): void {
  if (isSameOrigin(headers, origin)) return
  throw new ApiError(
    'forbidden',
    isUnderAnotherName(headers, origin)
      ? 'This server is not set up for this address. If you operate it, set BASE_URL to the address you use.'
      : 'This request did not come from the dashboard.',
  )
}
