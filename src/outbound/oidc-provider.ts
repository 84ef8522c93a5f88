// Sign-in through an identity provider: the authorization code flow with PKCE (RFC 6749, 7636; OpenID Connect).
import { createHash } from 'node:crypto'
import {
  type Claims,
  idTokenProblem,
  type ProvenIdentity,
  toProvenIdentity,
} from '../domain/people/id-token.ts'
import { isSignedBy, readSignedToken, type SignedToken } from '../platform/crypto/signed-token.ts'
import type { Endpoints, OidcDirectory } from './oidc-directory.ts'
import { OutboundError } from './outbound-error.ts'

type OidcClient = {
  issuer: string
  clientId: string
  clientSecret: string | undefined
  /** Where the provider sends the browser back to. */
  redirectUri: string
}

/** Values of one sign-in that must come back unchanged. */
type OidcFlow = { state: string; nonce: string; verifier: string }

/** The identity, or the reason it could not be determined, for the log. */
type Identified = { identity: ProvenIdentity } | { problem: string }

type Tokens = { idToken: string; accessToken: string | undefined }
type Deps = { client: OidcClient; directory: OidcDirectory; now(): Date }

export class OidcProvider {
  readonly #client: OidcClient
  readonly #directory: OidcDirectory
  readonly #now: () => Date

  constructor({ client, directory, now }: Deps) {
    this.#client = client
    this.#directory = directory
    this.#now = now
  }

  /** Returns the URL to send the browser to. */
  async begin({ state, nonce, verifier }: OidcFlow): Promise<string | { problem: string }> {
    return orProblem(async () => {
      const { authorization } = await this.#directory.endpoints()
      const address = new URL(authorization)
      const { clientId, redirectUri } = this.#client
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      for (const [name, value] of Object.entries({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }))
        address.searchParams.set(name, value)
      return address.href
    })
  }

  async finish(code: string, flow: OidcFlow): Promise<Identified> {
    return orProblem(async () => {
      const endpoints = await this.#directory.endpoints()
      const { idToken, accessToken } = await this.#exchange(endpoints, code, flow.verifier)
      const claims = await this.#verify(idToken, flow.nonce)
      if (typeof claims === 'string') return { problem: `The ID token is refused: ${claims}` }
      const more =
        claims['email'] === undefined ? await this.#readUserInfo(endpoints, accessToken) : {}
      const isSame = more['sub'] === claims['sub']
      const { issuer } = this.#client
      return { identity: toProvenIdentity(issuer, claims, isSame ? more : {}) }
    })
  }

  async #exchange(endpoints: Endpoints, code: string, verifier: string): Promise<Tokens> {
    const { clientId, clientSecret, redirectUri } = this.#client
    const inHeader = clientSecret !== undefined && endpoints.takesBasic
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...(!inHeader && { client_id: clientId }),
      ...(!inHeader && clientSecret !== undefined && { client_secret: clientSecret }),
    })
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(inHeader && { Authorization: basic(clientId, clientSecret) }),
    }
    const { status, json } = await this.#directory.request({
      url: endpoints.token,
      method: 'POST',
      headers,
      body: body.toString(),
    })
    const { id_token: idToken, access_token: accessToken, error } = (json ?? {}) as Claims
    if (status !== 200 || typeof idToken !== 'string')
      throw new OutboundError('INVALID_RESPONSE', `code refused: ${status} ${toWord(error)}`)
    return { idToken, accessToken: typeof accessToken === 'string' ? accessToken : undefined }
  }

  /** Returns the token's claims, or why it is invalid. */
  async #verify(idToken: string, nonce: string): Promise<Claims | string> {
    const token = readSignedToken(idToken)
    if (token === undefined) return 'it is not signed in a way that is accepted'
    if (!(await this.#isSigned(token))) return 'its signature is not the provider’s'
    const { issuer, clientId } = this.#client
    const problem = idTokenProblem(token.claims, { issuer, clientId, nonce, now: this.#now() })
    return problem ?? token.claims
  }

  async #isSigned(token: SignedToken): Promise<boolean> {
    const keys = await this.#directory.keysOf(token.keyId)
    return keys.some((key) => isSignedBy(token, key))
  }

  async #readUserInfo({ userInfo }: Endpoints, accessToken: string | undefined): Promise<Claims> {
    if (userInfo === undefined || accessToken === undefined) return {}
    const headers = { Authorization: `Bearer ${accessToken}` }
    const { status, json } = await this.#directory.request({ url: userInfo, headers })
    const isObject = typeof json === 'object' && json !== null
    return status === 200 && isObject ? (json as Claims) : {}
  }
}

/** A failing provider is a result, not an error of ours. */
async function orProblem<T>(request: () => Promise<T>): Promise<T | { problem: string }> {
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { problem: `The identity provider failed: ${error.message}` }
  }
}

/** RFC 6749, section 2.3.1: both are form-encoded first. */
function basic(clientId: string, clientSecret: string): string {
  const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1)
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`
}

const toWord = (value: unknown): string =>
  typeof value === 'string' && /^[a-z_]{1,60}$/.test(value) ? value : ''
