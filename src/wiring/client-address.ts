// Finds the client of a request, and warns while the proxy in front is not configured: without it, all clients behind
// the proxy share one address and its limits.
import { type ClientAddress, clientAddress } from '../api/http/client-address.ts'
import type { Context } from './context.ts'

const ADVICE = 'set TRUSTED_PROXIES to the address of your proxy'

const opened = new WeakMap<Context, ClientAddress>()

/** One for all surfaces of a process, so that each warning is logged once. */
export function openClientAddress(context: Context): ClientAddress {
  const known = opened.get(context)
  if (known !== undefined) return known
  const { config, log, metrics } = context
  const { trustedProxies, baseUrl } = config
  if (baseUrl.startsWith('https:') && trustedProxies.length === 0)
    log.warn(`BASE_URL is https, but no proxy is trusted: ${ADVICE}`)
  let isWarned = false
  const address = clientAddress(trustedProxies, (peer) => {
    metrics.forwardedForIgnored.inc()
    if (isWarned) return
    isWarned = true
    log.warn({ peer }, `X-Forwarded-For from an untrusted address was ignored: ${ADVICE}`)
  })
  opened.set(context, address)
  return address
}
