// What an identity provider publishes: its endpoints and keys, cached for an hour. Keys are fetched again, at most once
// per minute, when a token names an unknown one. The issuer is configured and may be in a private network, but the
// operator did not choose other hosts it names, so these must use https and public addresses.
import type { PublishedKey } from '../platform/crypto/signed-token.ts'
import type { Guard } from './connect.ts'
import { exchangeJson, type JsonReply, type JsonRequest } from './json-exchange.ts'
import { OutboundError } from './outbound-error.ts'

export type Endpoints = {
  authorization: URL
  token: URL
  keys: URL
  /** Returns claims that are missing in the token; not every provider has it. */
  userInfo: URL | undefined
  /** Whether the client secret may be sent with HTTP Basic authentication. */
  takesBasic: boolean
}

type DirectoryOptions = {
  issuer: string
  /** For the issuer's own origin, and for all others. */
  guards: { own: Guard; others: Guard }
  nowMs(): number
}

const KEEP_MS = 3_600_000
const KEYS_AGAIN_MS = 60_000
const MAX_KEYS = 50

type Kept<T> = { value: Promise<T>; atMs: number }

export class OidcDirectory {
  readonly #options: DirectoryOptions
  readonly #origin: string
  #endpoints: Kept<Endpoints> | undefined
  #keys: Kept<PublishedKey[]> | undefined

  constructor(options: DirectoryOptions) {
    this.#options = options
    this.#origin = new URL(options.issuer).origin
  }

  endpoints(): Promise<Endpoints> {
    this.#endpoints = this.#fresh(this.#endpoints, KEEP_MS, () => this.#discover())
    return this.#endpoints.value
  }

  /** The keys that may have signed a token with this key id; all keys if it has none. */
  async keysOf(keyId: string | undefined): Promise<PublishedKey[]> {
    this.#keys = this.#fresh(this.#keys, KEEP_MS, () => this.#readKeys())
    const found = pick(await this.#keys.value, keyId)
    if (found.length > 0) return found
    // The provider may have rotated its keys.
    this.#keys = this.#fresh(this.#keys, KEYS_AGAIN_MS, () => this.#readKeys())
    return pick(await this.#keys.value, keyId)
  }

  request(request: JsonRequest): Promise<JsonReply> {
    const { own, others } = this.#options.guards
    return exchangeJson(request.url.origin === this.#origin ? own : others, request)
  }

  /** Concurrent callers share one request; a failed one is not cached. */
  #fresh<T>(kept: Kept<T> | undefined, forMs: number, load: () => Promise<T>): Kept<T> {
    const atMs = this.#options.nowMs()
    if (kept !== undefined && atMs - kept.atMs < forMs) return kept
    const value = load()
    const fresh = { value, atMs }
    value.catch(() => {
      fresh.atMs = Number.NEGATIVE_INFINITY
    })
    return fresh
  }

  async #discover(): Promise<Endpoints> {
    const { issuer } = this.#options
    const url = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
    const document = await this.#read(url)
    // Otherwise another issuer's document would be accepted.
    if (document['issuer'] !== issuer) throw invalid('issuer')
    const userInfo = document['userinfo_endpoint']
    const methods = document['token_endpoint_auth_methods_supported']
    return {
      authorization: this.#endpoint(document['authorization_endpoint']),
      token: this.#endpoint(document['token_endpoint']),
      keys: this.#endpoint(document['jwks_uri']),
      userInfo: userInfo === undefined ? undefined : this.#endpoint(userInfo),
      takesBasic: !Array.isArray(methods) || methods.includes('client_secret_basic'),
    }
  }

  async #readKeys(): Promise<PublishedKey[]> {
    const { keys } = await this.#read((await this.endpoints()).keys)
    if (!Array.isArray(keys)) throw invalid('keys')
    return keys.slice(0, MAX_KEYS).filter((key) => typeof key === 'object' && key !== null)
  }

  async #read(url: URL): Promise<Record<string, unknown>> {
    const { status, json } = await this.request({ url })
    if (status !== 200 || typeof json !== 'object' || json === null) throw invalid(`HTTP ${status}`)
    return json as Record<string, unknown>
  }

  #endpoint(text: unknown): URL {
    const url = typeof text === 'string' ? URL.parse(text) : null
    const isSafe = url !== null && (url.protocol === 'https:' || url.origin === this.#origin)
    if (!isSafe) throw invalid('endpoint')
    return url
  }
}

function pick(keys: readonly PublishedKey[], keyId: string | undefined): PublishedKey[] {
  return keys.filter(({ kid }) => keyId === undefined || kid === undefined || kid === keyId)
}

const invalid = (detail: string) => new OutboundError('INVALID_RESPONSE', detail)
