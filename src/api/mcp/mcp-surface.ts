// POST /mcp: the Model Context Protocol over HTTP, without sessions. One request, one JSON response.
import type { IncomingMessage } from 'node:http'
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
import { type BodyLimit, readJsonBody } from '../http/input/request-body.ts'
import type { KeysInUse } from '../http/keys-in-use.ts'
import { refuseOverLimit } from '../http/pipeline.ts'
import type { Surface } from '../http/surface.ts'
import { toCaller } from '../public/authenticate.ts'
import { type KeyDeps, serveKey } from '../public/public-api.ts'
import { openInvoke } from './invoke.ts'
import type { Message } from './respond.ts'

const PATH = '/mcp'
const OPERATION = 'mcp'
// The input of a tool is far smaller.
const MESSAGE_LIMIT: BodyLimit = {
  maxBytes: 64 * 1024,
  maxTokens: 10_000,
  maxDepth: 64,
  maxSeconds: 15,
}

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
      const exchange = { request, response, isOutsideApi: true }
      await serveKey(deps, exchange, async ({ holder, window, onRoute }) => {
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
        return calls.run(holder.orgId, async () => {
          // Loaded for the first message: most installations get none, and it would slow down every start.
          const { respond } = await import('./respond.ts')
          return respond(request, message, session)
        })
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
 * A full key writes only if it was marked for that, whatever the client says: any client can send a header. `upv mcp`
 * without --write asks for less.
 */
async function mayWrite(
  tenants: Tenants,
  { access, orgId, keyId }: KeyHolder,
  { headers }: IncomingMessage,
): Promise<boolean> {
  if (access !== 'FULL' || headers['x-upvane-mcp-write'] === 'deny') return false
  return findMcpWrites(tenants.of(orgId), keyId)
}

/** A single message: a batch would be many requests for the price of one. */
async function readMessage(request: IncomingMessage, owner: string): Promise<Message> {
  const read = await readJsonBody(request, { limit: MESSAGE_LIMIT, owner }, (body) => body)
  if ('problems' in read) throw validationError(read.problems)
  const json = 'json' in read ? read.json : undefined
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json
  throw validationError([{ path: 'body', message: 'must be one JSON-RPC message' }])
}
