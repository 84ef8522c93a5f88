// State kept until the browser returns from the identity provider. It is in an encrypted cookie: bound to this browser,
// valid in every process, and nothing to clean up if the person never returns.
import type { IncomingHttpHeaders } from 'node:http'
import { newToken } from '../../../platform/crypto/token.ts'
import type { Db } from '../../../store/core/db.ts'
import type { PeopleSecrets } from '../../../store/people/people-secrets.ts'
import { hostCookie } from './session-cookie.ts'

export type ProviderFlow = {
  state: string
  nonce: string
  verifier: string
  /** A path on our own site. */
  returnTo: string
  /** The account to link to the identity; null for a sign-in. */
  linkTo: string | null
  endsAtMs: number
}

const FLOW_SECONDS = 600
const FLOW_LOCATION = { table: 'cookies', row: 'oidc', column: 'flow' }

export type ProviderFlows = {
  /** Returns the flow and its cookie. */
  begin(
    people: Db,
    wish: Pick<ProviderFlow, 'returnTo' | 'linkTo'>,
  ): Promise<{ flow: ProviderFlow; cookie: string }>
  /** Undefined if there is none, it has expired, or `state` belongs to another flow. */
  resume(people: Db, headers: IncomingHttpHeaders, state: string): Promise<ProviderFlow | undefined>
  clear(): string
}

export function providerFlows(baseUrl: string, secrets: PeopleSecrets): ProviderFlows {
  const cookie = hostCookie(baseUrl, 'upvane-oidc', /^[A-Za-z0-9_-]{1,4000}$/)
  return {
    async begin(people, wish) {
      const [state, nonce, verifier] = [newToken(), newToken(), newToken()]
      const endsAtMs = Date.now() + FLOW_SECONDS * 1000
      const flow = { state, nonce, verifier, ...wish, endsAtMs }
      const cipher = await secrets.cipher(people)
      const sealed = cipher.seal(FLOW_LOCATION, JSON.stringify(flow)).toString('base64url')
      return { flow, cookie: cookie.set(sealed, new Date(endsAtMs)) }
    },
    async resume(people, headers, state) {
      const sealed = cookie.read(headers)
      if (sealed === undefined) return undefined
      const flow = read(await secrets.cipher(people), Buffer.from(sealed, 'base64url'))
      const isGood = flow !== undefined && flow.state === state && flow.endsAtMs > Date.now()
      return isGood ? flow : undefined
    },
    clear: () => cookie.clear(),
  }
}

function read(
  cipher: Awaited<ReturnType<PeopleSecrets['cipher']>>,
  sealed: Buffer,
): ProviderFlow | undefined {
  try {
    // Safe because only values sealed here can be opened.
    return JSON.parse(cipher.unseal(FLOW_LOCATION, sealed)) as ProviderFlow
  } catch {
    // A cookie can hold anything; a value that does not open is not ours.
    return undefined
  }
}
