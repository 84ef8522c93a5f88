// What an identity provider publishes about itself: where its endpoints are, and its keys. Kept for an hour; keys are
// asked for again when a token names one that is not known, but not more often than once a minute.
//
// The issuer stands in the configuration and may be anywhere, also in a private network. What it names on other
// hosts was not named by the operator: there only public addresses are reached, and only by https.
import type { PublishedKey } from '../platform/crypto/signed-token.ts'
import type { Guard } from './connect.ts'
import { exchangeJson, type JsonReply, type JsonRequest } from './json-exchange.ts'
import { OutboundError } from './outbound-error.ts'

export type Endpoints = {
  authorization: URL
  token: URL
  keys: URL
  /** Where the claims are that are not in the token; not every provider has it. */
  userInfo: URL | undefined
  /** How we prove to be the client. */
  takesBasic: boolean
}

type DirectoryOptions = {
  issuer: string
  /** For the issuer's own host, and for all others. */
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

  /** Those that may have made a token which names this one; all of them when it names none. */
  async keysOf(keyId: string | undefined): Promise<PublishedKey[]> {
    this.#keys = this.#fresh(this.#keys, KEEP_MS, () => this.#readKeys())
    const found = pick(await this.#keys.value, keyId)
    if (found.length > 0) return found
    // The provider may have changed its keys since.
    this.#keys = this.#fresh(this.#keys, KEYS_AGAIN_MS, () => this.#readKeys())
    return pick(await this.#keys.value, keyId)
  }

  request(request: JsonRequest): Promise<JsonReply> {
    const { own, others } = this.#options.guards
    return exchangeJson(request.url.origin === this.#origin ? own : others, request)
  }

  /** One question at a time; one that failed is not kept. */
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
    // Or somebody else's document would be taken for the issuer's.
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
