// A write must come from a page of this very origin: browsers say so themselves, and other sites cannot lie.
import type { IncomingHttpHeaders } from 'node:http'

/** A page of another site asks, which browsers say; what says nothing may be any program. */
export function isFromElsewhere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin'
}

export function isSameOrigin(headers: IncomingHttpHeaders, origin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin === origin
}
