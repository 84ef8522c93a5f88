// Sign-in through an identity provider: the redirect to it, and the return. A browser navigates both, so every response
// redirects to a page, with any error as one word in the URL.
import type { ServerResponse } from 'node:http'
import { limitTries } from '../../../actions/people/limit-tries.ts'
import {
  type Admission,
  type SignInRefusal,
  signInByProvider,
} from '../../../actions/people/sign-in-by-provider.ts'
import type { ProvenIdentity } from '../../../domain/people/id-token.ts'
import { MAX_TRIES_PER_ADDRESS } from '../../../domain/people/sign-in.ts'
import { PATHS } from '../../../domain/values/dashboard-paths.ts'
import { networkOf } from '../../../domain/values/network.ts'
import { toOwnPath } from '../../../domain/values/own-path.ts'
import { ApiError } from '../../../platform/api-error.ts'
import { hashToken } from '../../../platform/crypto/token.ts'
import type { Log } from '../../../platform/observability/log.ts'
import type { Database } from '../../../store/core/db.ts'
import { insertIdentity } from '../../../store/people/identities.ts'
import { findSession } from '../../../store/people/sessions.ts'
import { subjectOf } from '../../../store/people/sign-in-windows.ts'
import type { ClientAddress } from '../../http/client-address.ts'
import { toApiError } from '../../http/failure.ts'
import type { Surface, SurfaceRequest } from '../../http/surface.ts'
import type { NotifyOwner } from './account-notices.ts'
import type { DeviceCookies } from './device-cookie.ts'
import type { IdentityProvider } from './identity-provider.ts'
import type { ProviderFlow, ProviderFlows } from './provider-flow.ts'
import { sessionCookie } from './session-cookie.ts'

type ProviderDeps = {
  people: Database
  provider: IdentityProvider
  flows: ProviderFlows
  admission: Admission
  baseUrl: string
  clientAddress: ClientAddress
  devices: DeviceCookies
  notifyOwner: NotifyOwner
  log: Log
}

const PROVIDER_PREFIX = '/app/sign-in/oidc'
export const CALLBACK_PATH = `${PROVIDER_PREFIX}/callback`

type Problem =
  | SignInRefusal
  | 'provider_failed'
  | 'sign_in_ended'
  | 'too_many_tries'
  | 'identity_taken'
type Redirect = { to: string; cookies: string[] }

export function providerSurface(deps: ProviderDeps): Surface {
  const handler = new ProviderSignIn(deps)
  return {
    prefix: PROVIDER_PREFIX,
    async serve(request, response, { path, query }) {
      if (path !== PROVIDER_PREFIX && path !== CALLBACK_PATH) return end(request, response, 404)
      // HEAD is refused too: a prefetch would use up the code.
      if (request.method !== 'GET') return end(request, response, 405, { Allow: 'GET' })
      const parameters = new URLSearchParams(query)
      try {
        const { to, cookies } =
          path === CALLBACK_PATH
            ? await handler.finish(request, parameters)
            : await handler.begin(request, parameters)
        end(request, response, 303, { Location: to, 'Set-Cookie': cookies })
      } catch (err) {
        const { isUnavailable, headers } = toApiError(err, deps.log, request)
        end(request, response, isUnavailable ? 503 : 500, headers)
      }
    },
  }
}

class ProviderSignIn {
  readonly #deps: ProviderDeps

  constructor(deps: ProviderDeps) {
    this.#deps = deps
  }

  async begin(request: SurfaceRequest, query: URLSearchParams): Promise<Redirect> {
    const { people, flows, provider } = this.#deps
    const returnTo = toOwnPath(query.get('returnTo') ?? '') ?? '/'
    const { flow, cookie } = await flows.begin(people, { returnTo, linkTo: null })
    const address = await provider.begin(flow)
    if (typeof address === 'string') return { to: address, cookies: [cookie] }
    return this.#fail(request, PATHS.signIn, 'provider_failed', address.problem)
  }

  async finish(request: SurfaceRequest, query: URLSearchParams): Promise<Redirect> {
    const { people, flows } = this.#deps
    const flow = await flows.resume(people, request.headers, query.get('state') ?? '')
    if (flow === undefined) return this.#fail(request, PATHS.signIn, 'sign_in_ended')
    const page = flow.linkTo === null ? PATHS.signIn : flow.returnTo
    try {
      const identity = await this.#identify(request, query, flow)
      if ('problem' in identity)
        return this.#fail(request, page, 'provider_failed', identity.problem)
      const outcome =
        flow.linkTo === null
          ? await this.#signIn(request, identity)
          : await this.#link(request, identity, flow.linkTo)
      if (typeof outcome === 'string') return this.#fail(request, page, outcome)
      return { to: flow.returnTo, cookies: [flows.clear(), ...outcome] }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return this.#fail(request, page, 'too_many_tries')
    }
  }

  async #identify(
    request: SurfaceRequest,
    query: URLSearchParams,
    flow: ProviderFlow,
  ): Promise<ProvenIdentity | { problem: string }> {
    const { people, provider, clientAddress } = this.#deps
    if (!query.has('code'))
      return { problem: `It answered without a code: ${toErrorWord(query.get('error'))}` }
    const subject = subjectOf('address', networkOf(clientAddress(request)))
    let problem = ''
    const identity = await limitTries(
      people,
      [{ subject, limit: MAX_TRIES_PER_ADDRESS }],
      async () => {
        const found = await provider.finish(query, flow)
        if ('identity' in found) return found.identity
        problem = found.problem
        return undefined
      },
    )
    return identity ?? { problem }
  }

  /** The cookies of a person who is let in. */
  async #signIn(
    request: SurfaceRequest,
    identity: ProvenIdentity,
  ): Promise<string[] | SignInRefusal> {
    const { people, admission, baseUrl, clientAddress, devices } = this.#deps
    const cookie = sessionCookie(baseUrl)
    const device = devices.read(request.headers)
    const opened = await signInByProvider(people, identity, admission, {
      address: clientAddress(request),
      agent: request.headers['user-agent'] ?? '',
      oldToken: cookie.read(request.headers),
      device,
    })
    if (typeof opened === 'string') return opened
    const session = cookie.set(opened.token, opened.expiresAt)
    return opened.complete ? [session, devices.set(opened.userUuid, device)] : [session]
  }

  async #link(
    request: SurfaceRequest,
    identity: ProvenIdentity,
    userUuid: string,
  ): Promise<string[] | Problem> {
    const { people, baseUrl, clientAddress, notifyOwner } = this.#deps
    const token = sessionCookie(baseUrl).read(request.headers) ?? ''
    const found = await findSession(people, hashToken(token), null)
    // The person who requested the link must still be signed in.
    if (found?.session.complete !== true || found.session.user.uuid !== userUuid)
      return 'sign_in_ended'
    if (!(await insertIdentity(people, identity, userUuid))) return 'identity_taken'
    const visit = { people, baseUrl, address: clientAddress(request) }
    await notifyOwner(visit, userUuid, 'IDENTITY_LINKED')
    return []
  }

  #fail(request: SurfaceRequest, page: string, problem: Problem, detail?: string): Redirect {
    const { log, flows } = this.#deps
    const { requestId } = request
    log.warn({ requestId, problem, detail }, 'sign-in through the identity provider failed')
    return { to: `${page}?problem=${problem}`, cookies: [flows.clear()] }
  }
}

function end(
  { requestId }: SurfaceRequest,
  response: ServerResponse,
  status: number,
  headers: Record<string, string | string[]> = {},
): void {
  response.writeHead(status, {
    'Content-Length': 0,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...headers,
  })
  response.end()
}

const toErrorWord = (text: string | null): string =>
  text !== null && /^[a-z_]{1,60}$/.test(text) ? text : 'nothing'

/** The dashboard's API, with the pages of the identity provider's sign-in among its paths. */
export function withSignIn(api: Surface, signIn: Surface | undefined): Surface {
  const isSignIn = (path: string) =>
    path === PROVIDER_PREFIX || path.startsWith(`${PROVIDER_PREFIX}/`)
  return {
    prefix: '/app',
    serve(request, response, target) {
      const surface = signIn !== undefined && isSignIn(target.path) ? signIn : api
      return surface.serve(request, response, target)
    },
  }
}
