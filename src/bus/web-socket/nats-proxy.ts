// Through which HTTP proxy a WebSocket to NATS is opened: NATS_PROXY, or what other programs on the machine use.

export type ProxySettings = {
  /** Of this connection alone. */
  own: string | undefined
  /** HTTPS_PROXY, for every host that is not in NO_PROXY. */
  general: string | undefined
  /** NO_PROXY: host names, domains and addresses, separated by commas. */
  except: string
}

const PROXY_PROTOCOLS = ['http:', 'https:']

/** Undefined: without a proxy. */
export function proxyFor(host: string, settings: ProxySettings): URL | undefined {
  const { own, general, except } = settings
  const text = own ?? (isExcepted(host, except) ? undefined : general)
  if (text === undefined) return undefined
  // Other programs accept an address without a scheme too.
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  if (url !== null && PROXY_PROTOCOLS.includes(url.protocol) && url.hostname !== '') return url
  // Does not include the text, which may contain a password.
  throw new Error('The proxy in NATS_PROXY or HTTPS_PROXY must be a URL with http:// or https://')
}

/** A domain covers the names below it, with or without a dot in front. */
function isExcepted(host: string, except: string): boolean {
  return except
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const name = withoutDot(entry.toLowerCase())
      return entry === '*' || host === name || host.endsWith(`.${name}`)
    })
}

function withoutDot(name: string): string {
  const rest = name.startsWith('*') ? name.slice(1) : name
  return rest.startsWith('.') ? rest.slice(1) : rest
}
