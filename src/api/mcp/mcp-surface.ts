// POST /mcp: the Model Context Protocol over HTTP, without sessions. One request, one JSON response.
import type { IncomingMessage } from 'node:http'
import { createMcpHandler } from '@modelcontextprotocol/server'
import {
  ApiError,
  methodNotAllowed,
  noSuchAddress,
  validationError,
} from '../../platform/api-error.ts'
import { KeyedConcurrencyLimit } from '../../platform/limits/keyed-concurrency-limit.ts'
import { nameOperation } from '../../platform/observability/event-loop-watch.ts'
import type { Tenants } from '../../store/core/tenants.ts'
import { findMcpWrites, type KeyHolder } from '../../store/people/api-keys.ts'
import type { BoundOperation } from '../http/bind.ts'
import type { KeysInUse } from '../http/keys-in-use.ts'
import { refuseOverLimit } from '../http/pipeline.ts'
import { type BodyLimit, readJsonBody } from '../http/request-body.ts'
import type { SentResponse } from '../http/response.ts'
import type { Surface, SurfaceRequest } from '../http/surface.ts'
import { toCaller } from '../public/authenticate.ts'
import { type KeyDeps, serveKey } from '../public/public-api.ts'
import { type AssistantSession, createAssistantServer } from './assistant-server.ts'
import { openInvoke } from './invoke.ts'

const PATH = '/mcp'
const OPERATION = 'mcp'
const MESSAGE_LIMIT: BodyLimit = { maxBytes: 64 * 1024, text: '64 KiB', maxSeconds: 15 }
const METHOD_NOT_FOUND = -32_601
const INVALID_REQUEST = -32_600
// The list of tools has 12 kB, and 8 kB of an answer are at most twice as much as JSON inside JSON. What is longer
// repeats what was sent, such as the name of a tool.
const MAX_REPLY_CHARACTERS = 20_000
const MAX_ID_CHARACTERS = 200
// A stream without end, which a service without sessions does not have.
const STREAMING_METHOD = 'subscriptions/listen'

type McpDeps = KeyDeps & {
  tenants: Tenants
  keysInUse: KeysInUse
  baseUrl: string
  version: string
  operations: readonly BoundOperation[]
}

export function mcpSurface(given: McpDeps): Surface {
  const operations = new Map(given.operations.map((bound) => [bound.operation.id, bound]))
  const deps = { ...given, operations }
  const ownOrigin = new URL(given.baseUrl).origin
  // A check that a tool waits for takes up to two minutes, so that a few organizations could use up a small total.
  const calls = new KeyedConcurrencyLimit({
    total: 256,
    perKey: 8,
    maxWaitingPerKey: 32,
    maxWaitMs: 30_000,
  })
  return {
    prefix: PATH,
    async serve(request, response, { path }) {
      if (path !== PATH) throw noSuchAddress()
      refuseForeignOrigin(request, ownOrigin)
      await serveKey(deps, { request, response }, async ({ holder, window, onRoute }) => {
        refuseOverLimit(window)
        if (request.method !== 'POST') throw methodNotAllowed('POST')
        onRoute(OPERATION)
        nameOperation(OPERATION)
        const message = await readMessage(request, holder.orgId)
        const canWrite = await mayWrite(deps.tenants, holder, request)
        const caller = { ...toCaller(holder), via: 'MCP' as const }
        const { requestId } = request
        const invoke = openInvoke(deps, { caller, requestId })
        const session = { version: deps.version, invoke, canWrite, requestId, log: deps.log }
        return calls.run(holder.orgId, () => respond(request, message, session))
      })
    },
  }
}

/** A browser names the page that sends the request. Only our own pages may: a key does not belong into another one. */
function refuseForeignOrigin({ headers: { origin } }: IncomingMessage, ownOrigin: string): void {
  if (origin === undefined || origin === ownOrigin) return
  throw new ApiError('forbidden', 'Requests from pages of other origins are not accepted.')
}

/**
 * Over HTTP, a full key writes only if it was marked for that. `upv mcp` asks its user instead (--write) and says so in
 * a header, which no assistant can set.
 */
async function mayWrite(
  tenants: Tenants,
  { access, orgId, keyId }: KeyHolder,
  { headers }: IncomingMessage,
): Promise<boolean> {
  const local = headers['x-upvane-mcp-write']
  if (access !== 'FULL' || local === 'deny') return false
  return local === 'allow' || findMcpWrites(tenants.of(orgId), keyId)
}

type Message = { id?: unknown; method?: unknown }

/** A single message: a batch would be many requests for the price of one. */
async function readMessage(request: IncomingMessage, owner: string): Promise<Message> {
  const read = await readJsonBody(request, MESSAGE_LIMIT, owner)
  if ('problems' in read) throw validationError(read.problems)
  const json = 'json' in read ? read.json : undefined
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json
  throw validationError([{ path: 'body', message: 'must be one JSON-RPC message' }])
}

async function respond(
  request: SurfaceRequest,
  message: Message,
  session: AssistantSession,
): Promise<SentResponse> {
  if (message.method === STREAMING_METHOD)
    return refusal(message.id, METHOD_NOT_FOUND, 'Method not found')
  const handler = createMcpHandler(() => createAssistantServer(session), {
    onerror: (err) => session.log.debug({ err, requestId: session.requestId }, 'mcp'),
  })
  const response = await handler.fetch(toWebRequest(request), { parsedBody: message })
  const text = await response.text()
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const body = isStream ? messageIn(text) : text
  if (body.length > MAX_REPLY_CHARACTERS)
    return refusal(null, INVALID_REQUEST, 'The id, a name or an argument is too long.')
  return { status: response.status, body }
}

function toWebRequest({ headers }: IncomingMessage): Request {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'))
  return new Request(`http://localhost${PATH}`, {
    method: 'POST',
    headers: {
      ...Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
      'Content-Type': 'application/json',
      // Both are needed by the older protocol, whatever the client prefers.
      Accept: 'application/json, text/event-stream',
    },
    body: '{}',
  })
}

/** The older protocol responds with a stream of one message. */
function messageIn(stream: string): string {
  const messages = stream
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trim())
  return messages.findLast((text) => text.startsWith('{')) ?? ''
}

function refusal(id: unknown, code: number, message: string): SentResponse {
  return {
    status: 200,
    body: JSON.stringify({ jsonrpc: '2.0', id: isId(id) ? id : null, error: { code, message } }),
  }
}

function isId(id: unknown): boolean {
  return typeof id === 'number' || (typeof id === 'string' && id.length <= MAX_ID_CHARACTERS)
}
