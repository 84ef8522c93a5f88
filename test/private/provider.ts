// A real identity provider on loopback. Every visitor is signed in as the person the test chose, without a prompt.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Provider } from 'oidc-provider'
import { findFreePort } from '../../tools/services/ports.ts'

type Claims = { email?: string; email_verified?: boolean; name?: string }
type ProviderClient = {
  client_id: string
  client_secret?: string
  redirect_uris: string[]
  token_endpoint_auth_method?: 'none' | 'client_secret_post'
  id_token_signed_response_alg?: 'RS256' | 'ES256' | 'HS256'
}

export type TestProvider = {
  issuer: string
  /** The person at the browser. */
  account: string
  people: Map<string, Claims>
  close(): Promise<void>
}

export async function startProvider(clients: readonly ProviderClient[]): Promise<TestProvider> {
  const port = await findFreePort()
  const issuer = `http://127.0.0.1:${port}`
  const state: TestProvider = { issuer, account: '', people: new Map(), close: async () => {} }
  const provider = new Provider(issuer, configurationOf(clients, state))
  const callback = provider.callback()
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response)
    void finish(provider, state, { request, response })
  })
  const { close } = await listenOn(server, port)
  return Object.assign(state, { close })
}

async function finish(
  provider: Provider,
  { account }: TestProvider,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  await provider.interactionDetails(request, response)
  const result =
    account === '' ? { error: 'access_denied' } : { login: { accountId: account, remember: false } }
  await provider.interactionFinished(request, response, result)
}

function configurationOf(clients: readonly ProviderClient[], state: TestProvider): object {
  return {
    clients,
    jwks: { keys: [newKey('rsa'), newKey('ec')] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256', 'HS256'] },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...state.people.get(accountId) }),
    }),
    // Skips the consent prompt.
    async loadExistingGrant(context: GrantContext) {
      const { provider, client, session } = context.oidc
      const ids = { clientId: client.clientId, accountId: session.accountId }
      const grant = new provider.Grant(ids)
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}

type Grant = { addOIDCScope(scope: string): void; save(): Promise<void> }
type GrantContext = {
  oidc: {
    provider: { Grant: new (ids: object) => Grant }
    client: { clientId: string }
    session: { accountId: string }
  }
}

function newKey(type: 'rsa' | 'ec'): object {
  const pair =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...pair.privateKey.export({ format: 'jwk' }), kid: type, use: 'sig' }
}

async function listenOn(server: ReturnType<typeof createServer>, port: number) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, '127.0.0.1', resolve)
  await promise
  const close = async () => {
    server.closeAllConnections()
    await new Promise<void>((closed) => server.close(() => closed()))
  }
  return { close }
}
