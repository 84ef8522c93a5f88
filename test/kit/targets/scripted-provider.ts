// An identity provider scripted by the test, which may lie, stall or change its answers, and a client that signs in there.
import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { createOutbound, publicOnly } from '../../../src/outbound/create-outbound.ts'
import { OidcDirectory } from '../../../src/outbound/oidc/directory.ts'
import { OidcProvider } from '../../../src/outbound/oidc/provider.ts'
import { listen } from './listen.ts'

export const FLOW = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) }
export const REDIRECT = 'https://upvane.example/back'
export const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })

type ScriptedProvider = Awaited<ReturnType<typeof openProvider>>

/** `secret`: of the client; undefined for a public client. */
export async function openProvider(
  t: TestContext,
  { secret }: { secret?: string | undefined } = { secret: 's3cret +/&' },
) {
  const server = createServer((request, response) => void serve(idp, request, response))
  const { port, close } = await listen(server)
  t.after(close)
  const issuer = `http://127.0.0.1:${port}`
  const everywhere = { allowCidrs: ['0.0.0.0/0', '::/0'], dnsServers: ['127.0.0.1:1'] }
  const outbound = createOutbound({ ...everywhere, userAgent: 'Test' })
  const guards = { own: outbound.guard, others: publicOnly(outbound).guard }
  const directory = new OidcDirectory({ issuer, guards, nowMs: () => idp.nowMs })
  const client = { issuer, clientId: 'upvane', clientSecret: secret, redirectUri: REDIRECT }
  const provider = new OidcProvider({ client, directory, now: () => new Date() })
  const idp = {
    issuer,
    provider,
    nowMs: 1_000_000,
    discovery: {} as Record<string, unknown>,
    change: {} as Record<string, unknown>,
    userInfo: {} as Record<string, unknown>,
    keys: [published(rsa.publicKey, 'rsa'), published(ec.publicKey, 'ec')] as object[],
    /** How the browser comes back, besides the code. */
    query: { state: FLOW.state } as Record<string, string>,
    keyReads: 0,
    lastBearer: '' as string | undefined,
    exchanges: [] as { authorization: string | undefined; body: string }[],
    answer: undefined as ((request: IncomingMessage, response: ServerResponse) => void) | undefined,
    claims() {
      const now = Math.floor(Date.now() / 1000)
      const said = { email: 'ana@example.com', email_verified: true, name: 'Ana' }
      const base = {
        iss: issuer,
        aud: 'upvane',
        sub: 'ana',
        nonce: FLOW.nonce,
        iat: now,
        exp: now + 60,
      }
      return { ...base, ...said, ...idp.change }
    },
    token: () => signed(rsa.privateKey, { alg: 'RS256', kid: 'rsa' }, idp.claims()),
    async identify() {
      const found = await provider.finish(new URLSearchParams({ code: 'c', ...idp.query }), FLOW)
      return 'identity' in found
        ? { identity: found.identity, problem: undefined }
        : { identity: undefined, problem: found.problem }
    },
  }
  return idp
}

async function serve(
  idp: ScriptedProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (idp.answer !== undefined) return idp.answer(request, response)
  const { authorization } = request.headers
  const body = await readText(request)
  const json = (value: unknown) => void response.end(JSON.stringify(value))
  switch (request.url) {
    case '/.well-known/openid-configuration':
      return json({
        issuer: idp.issuer,
        authorization_endpoint: `${idp.issuer}/authorize?keep=this`,
        token_endpoint: `${idp.issuer}/token`,
        jwks_uri: `${idp.issuer}/keys`,
        userinfo_endpoint: `${idp.issuer}/me`,
        ...idp.discovery,
      })
    case '/keys':
      idp.keyReads += 1
      return json({ keys: idp.keys })
    case '/token':
      idp.exchanges.push({ authorization, body })
      return json({ id_token: idp.token(), access_token: 'at', token_type: 'Bearer' })
    case '/me':
      idp.lastBearer = authorization
      return json(idp.userInfo)
    default:
      response.writeHead(404).end('{}')
  }
}

/** A compact JWS, signed as its header says, or with SHA-256 for algorithms that the tests make up. */
export function signed(key: KeyObject, header: Record<string, unknown>, claims: object): string {
  const text = `${part(header)}.${part(claims)}`
  return `${text}.${signatureOf(key, String(header['alg']), text)}`
}

function signatureOf(key: KeyObject, alg: string, text: string): string {
  const hash = key.asymmetricKeyType === 'ed25519' ? null : `sha${/\d{3}$/.exec(alg)?.[0] ?? 256}`
  const padding = alg.startsWith('PS') ? constants.RSA_PKCS1_PSS_PADDING : undefined
  const saltLength = constants.RSA_PSS_SALTLEN_DIGEST
  const how = { key, dsaEncoding: 'ieee-p1363' as const, ...(padding && { padding, saltLength }) }
  return sign(hash, Buffer.from(text), how).toString('base64url')
}

export function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

export function published(key: KeyObject, kid?: string): object {
  return { ...key.export({ format: 'jwk' }), ...(kid !== undefined && { kid }), use: 'sig' }
}
