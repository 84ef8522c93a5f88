// What an identity provider publishes about itself, cached for an hour, and the guarded way to all of its endpoints. The
// issuer is configured and may be in a private network, but the operator did not choose other hosts it names, so these
// must use https and public addresses.
import * as oauth from 'oauth4webapi'
import type { Guard } from '../connect.ts'
import { OutboundError } from '../outbound-error.ts'
import { exchangeJson } from './json-exchange.ts'

export type OidcServer = oauth.AuthorizationServer & {
  authorization_endpoint: string
  token_endpoint: string
  jwks_uri: string
}

type DirectoryOptions = {
  issuer: string
  /** For the issuer's own origin, and for all others. */
  guards: { own: Guard; others: Guard }
  nowMs(): number
}
type FetchInit = oauth.CustomFetchOptions<'GET' | 'POST', URLSearchParams | undefined>

/** The options of every request of the library, so that none is made without a guard. */
type GuardedHttp = {
  headers: Record<string, string>
  [oauth.customFetch]: (url: string, init: FetchInit) => Promise<Response>
  [oauth.allowInsecureRequests]: boolean
}

const KEEP_MS = 3_600_000

// An explicit list, so that neither "none" nor a shared secret in place of a public key is ever accepted.
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 Ed25519 EdDSA'.split(' ')

export class OidcDirectory {
  readonly http: GuardedHttp
  readonly #options: DirectoryOptions
  readonly #issuer: URL
  #server: { value: Promise<OidcServer>; atMs: number } | undefined

  constructor(options: DirectoryOptions) {
    this.#options = options
    this.#issuer = new URL(options.issuer)
    this.http = {
      [oauth.customFetch]: (url, init) => this.#fetch(new URL(url), init),
      // Only the issuer itself can be at such an address; see #endpoint.
      [oauth.allowInsecureRequests]: this.#issuer.protocol === 'http:',
      headers: { 'User-Agent': options.guards.own.userAgent },
    }
  }

  /** Concurrent callers share one request; a failed one is not cached. The library caches the keys with the result. */
  server(): Promise<OidcServer> {
    const atMs = this.#options.nowMs()
    if (this.#server === undefined || atMs - this.#server.atMs >= KEEP_MS) {
      const fresh = { value: this.#discover(), atMs }
      fresh.value.catch(() => {
        fresh.atMs = Number.NEGATIVE_INFINITY
      })
      this.#server = fresh
    }
    return this.#server.value
  }

  async #discover(): Promise<OidcServer> {
    const response = await oauth.discoveryRequest(this.#issuer, this.http)
    if (response.status !== 200) throw invalid(`HTTP ${response.status}`)
    const document = await oauth.processDiscoveryResponse(this.#issuer, response).catch(() => {
      throw invalid('issuer')
    })
    const { issuer, userinfo_endpoint: userInfo } = document
    // The library ignores a slash at the end, but an identity belongs to the issuer exactly as it is configured.
    if (issuer !== this.#options.issuer) throw invalid('issuer')
    const methods = document.token_endpoint_auth_methods_supported
    return {
      issuer,
      authorization_endpoint: this.#endpoint(document.authorization_endpoint),
      token_endpoint: this.#endpoint(document.token_endpoint),
      jwks_uri: this.#endpoint(document.jwks_uri),
      ...(userInfo !== undefined && { userinfo_endpoint: this.#endpoint(userInfo) }),
      ...(Array.isArray(methods) && { token_endpoint_auth_methods_supported: methods }),
      authorization_response_iss_parameter_supported:
        document.authorization_response_iss_parameter_supported === true,
      id_token_signing_alg_values_supported: ALGORITHMS,
    }
  }

  /** One connection, one deadline, a limited length, no redirects. */
  async #fetch(url: URL, { method, headers, body }: FetchInit): Promise<Response> {
    const { own, others } = this.#options.guards
    const guard = url.origin === this.#issuer.origin ? own : others
    const asked = { url, method, headers, ...(body && { body: body.toString() }) }
    const { status, json } = await exchangeJson(guard, asked)
    const isAnswer = status === 200 || (status >= 400 && status < 600)
    if (!isAnswer) throw invalid(`HTTP ${status}`)
    return Response.json(json, { status })
  }

  #endpoint(text: unknown): string {
    const url = typeof text === 'string' ? URL.parse(text) : null
    const isSafe = url !== null && (url.protocol === 'https:' || url.origin === this.#issuer.origin)
    if (!isSafe) throw invalid('endpoint')
    return url.href
  }
}

const invalid = (detail: string) => new OutboundError('INVALID_RESPONSE', detail)
