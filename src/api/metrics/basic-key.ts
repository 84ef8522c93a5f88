import type { IncomingHttpHeaders } from 'node:http'

const SCHEME = 'basic '

/** Scrapers and Home Assistant often know only Basic: its password is the key, and the name is ignored. */
export function withBasicKey(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { authorization = '' } = headers
  if (!authorization.toLowerCase().startsWith(SCHEME)) return headers
  const pair = Buffer.from(authorization.slice(SCHEME.length).trim(), 'base64').toString()
  const colon = pair.indexOf(':')
  return { ...headers, authorization: `Bearer ${colon === -1 ? '' : pair.slice(colon + 1)}` }
}
