// Sign-in through an identity provider: the authorization code flow with PKCE (RFC 6749, 7636, 9207; OpenID Connect).
import * as oauth from 'oauth4webapi'
import {
  type Claims,
  idTokenProblem,
  LEEWAY_SECONDS,
  type ProvenIdentity,
  toProvenIdentity,
} from '../../domain/people/id-token.ts'
import { OutboundError } from '../outbound-error.ts'
import type { OidcDirectory, OidcServer } from './directory.ts'
import { RefusedToken, toOidcError } from './errors.ts'

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

type Deps = { client: OidcClient; directory: OidcDirectory; now(): Date }

export class OidcProvider {
  readonly #client: OidcClient
  readonly #registration: oauth.Client
  readonly #directory: OidcDirectory
  readonly #now: () => Date

  constructor({ client, directory, now }: Deps) {
    this.#client = client
    this.#registration = { client_id: client.clientId, [oauth.clockTolerance]: LEEWAY_SECONDS }
    this.#directory = directory
    this.#now = now
  }

  /** Returns the URL to send the browser to. */
  async begin({ state, nonce, verifier }: OidcFlow): Promise<string | { problem: string }> {
    return orProblem(async () => {
      const { authorization_endpoint: endpoint } = await this.#directory.server()
      const address = new URL(endpoint)
      const { clientId, redirectUri } = this.#client
      for (const [name, value] of Object.entries({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }))
        address.searchParams.set(name, value)
      return address.href
    })
  }

  /** `query`: the parameters with which the browser came back. */
  async finish(query: URLSearchParams, flow: OidcFlow): Promise<Identified> {
    return orProblem(async () => {
      const server = await this.#directory.server()
      const response = await this.#exchange(server, query, flow)
      const { claims, accessToken } = await this.#readTokens(server, response, flow.nonce)
      await this.#assertSigned(server, response)
      const { clientId, issuer } = this.#client
      const problem = idTokenProblem(claims, { clientId, now: this.#now() })
      if (problem !== undefined) throw new RefusedToken(problem)
      const more =
        claims['email'] === undefined
          ? await this.#readUserInfo(server, accessToken, claims.sub)
          : {}
      return { identity: toProvenIdentity(issuer, claims, more) }
    })
  }

  async #exchange(
    server: OidcServer,
    query: URLSearchParams,
    { state, verifier }: OidcFlow,
  ): Promise<Response> {
    const parameters = this.#checkResponse(server, query, state)
    return oauth.authorizationCodeGrantRequest(
      server,
      this.#registration,
      authenticationOf(server, this.#client.clientSecret),
      parameters,
      this.#client.redirectUri,
      verifier,
      this.#directory.http,
    )
  }

  #checkResponse(server: OidcServer, query: URLSearchParams, state: string): URLSearchParams {
    try {
      return oauth.validateAuthResponse(server, this.#registration, query, state)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      throw new OutboundError('INVALID_RESPONSE', error.message)
    }
  }

  /** The signature is not verified yet. */
  async #readTokens(server: OidcServer, response: Response, nonce: string) {
    try {
      const client = this.#registration
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: nonce,
        requireIdToken: true,
      })
      const claims = oauth.getValidatedIdTokenClaims(tokens)
      if (claims === undefined) throw new RefusedToken('there is none')
      return { claims, accessToken: tokens.access_token }
    } catch (error) {
      throw toOidcError(error, 'it is not signed in a way that is accepted')
    }
  }

  async #assertSigned(server: OidcServer, response: Response): Promise<void> {
    try {
      await oauth.validateApplicationLevelSignature(server, response, this.#directory.http)
    } catch (error) {
      throw toOidcError(error, 'its signature is not the provider’s')
    }
  }

  async #readUserInfo(server: OidcServer, accessToken: string, subject: string): Promise<Claims> {
    if (server.userinfo_endpoint === undefined) return {}
    const client = this.#registration
    const response = await oauth.userInfoRequest(server, client, accessToken, this.#directory.http)
    // What is not about the same person does not count.
    return oauth.processUserInfoResponse(server, client, subject, response).catch(() => ({}))
  }
}

/** A failing provider is a result, not an error of ours. */
async function orProblem<T>(request: () => Promise<T>): Promise<T | { problem: string }> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof RefusedToken)
      return { problem: `The ID token is refused: ${error.message}` }
    if (!(error instanceof OutboundError)) throw error
    return { problem: `The identity provider failed: ${error.message}` }
  }
}

function authenticationOf(server: OidcServer, secret: string | undefined): oauth.ClientAuth {
  if (secret === undefined) return oauth.None()
  const methods = server.token_endpoint_auth_methods_supported
  const takesBasic = methods === undefined || methods.includes('client_secret_basic')
  return takesBasic ? clientSecretBasic(secret) : oauth.ClientSecretPost(secret)
}

// RFC 6749, section 2.3.1: both are form-encoded first. The library's function encodes "-", "." and "_" as well, which
// providers that forget to decode refuse.
function clientSecretBasic(secret: string): oauth.ClientAuth {
  const encode = (text: string) => new URLSearchParams([['', text]]).toString().slice(1)
  return (_server, { client_id: id }, _body, headers) => {
    const credentials = Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')
    headers.set('Authorization', `Basic ${credentials}`)
  }
}
