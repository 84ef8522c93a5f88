// A write must come from a page of this origin: browsers report the origin, and other sites cannot forge it.
import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../../../platform/api-error.ts'

/** Whether another site's page sends this, as browsers report. Other programs may report nothing. */
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
 * Whether the page came from this server under a name other than BASE_URL's, which is then missing or wrong. Browsers
 * send no Sec-Fetch-Site over plain HTTP, so only the configured origin is trusted there.
 */
export function isUnderAnotherName(headers: IncomingHttpHeaders, origin: string): boolean {
  const { origin: from, host } = headers
  if (headers['sec-fetch-site'] !== undefined || !host || from === origin) return false
  return from === `http://${host}` || from === `https://${host}`
}

/** Reveals nothing about the configuration except that it does not match. */
export function refuseElsewhere(headers: IncomingHttpHeaders, origin: string): void {
  if (isSameOrigin(headers, origin)) return
  throw new ApiError(
    'forbidden',
    isUnderAnotherName(headers, origin)
      ? 'This server is not set up for this address. If you operate it, set BASE_URL to the address you use.'
      : 'This request did not come from the dashboard.',
  )
}
