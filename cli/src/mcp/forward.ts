// Passes what an assistant asks on to the service, which has the tools. The key is read for each call, so it can rotate.
import type { Profile } from '../account/profiles.ts'

export type McpMethod = 'tools/list' | 'tools/call'
export type Forward = (method: McpMethod, params: object) => Promise<unknown>

type ForwardOptions = {
  connect: () => Promise<Profile>
  /** What the user chose on this machine. The key must be marked for it as well. */
  canWrite: boolean
  warn: (text: string) => void
}
type Reply = { result?: unknown; error?: { code?: number; message?: string } }

// A check that a tool waits for takes up to two minutes.
const TIMEOUT_MS = 160_000
const INTERNAL_ERROR = -32_603
const NOT_MARKED =
  'This API key offers no tools that change something. Mark a full key in the dashboard: API keys, "Let assistants change things".'

/** An error of the protocol, for the assistant. */
export class ForwardError extends Error {
  readonly code: number

  constructor(message: string, code = INTERNAL_ERROR) {
    super(message)
    this.code = code
  }
}

export function openForward({ connect, canWrite, warn }: ForwardOptions): Forward {
  let hasWarned = false
  return async (method, params) => {
    const { url, key } = await connect()
    const response = await fetch(addressOf(url), {
      method: 'POST',
      headers: {
        'X-API-Key': key,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'X-Upvane-MCP-Write': canWrite ? 'allow' : 'deny',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    }).catch((error: unknown) => {
      throw new ForwardError(`The service cannot be reached: ${reasonOf(error)}`)
    })
    const result = resultOf(response.status, await response.text())
    if (method === 'tools/list' && canWrite && !hasWarned && !offersChanges(result)) {
      hasWarned = true
      warn(NOT_MARKED)
    }
    return result
  }
}

/** False only if every tool of the list says that it reads. */
export function offersChanges(result: unknown): boolean {
  const { tools } = (result ?? {}) as { tools?: unknown }
  if (!Array.isArray(tools)) return true
  return tools.some((tool: { annotations?: { readOnlyHint?: unknown } } | null) => {
    return tool?.annotations?.readOnlyHint !== true
  })
}

function addressOf(url: string): URL {
  return new URL('mcp', url.endsWith('/') ? url : `${url}/`)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  return error.name === 'TimeoutError' ? 'it did not respond in time' : error.message
}

/** What the response says, also if it is a refusal of the API and not of the protocol. */
export function resultOf(status: number, text: string): unknown {
  if (status === 401)
    throw new ForwardError('The service refused the API key. It may have expired or been revoked.')
  if (status === 404) throw new ForwardError('This service has no /mcp. Upgrade it.')
  const reply = parse(text)
  if (reply?.result !== undefined) return reply.result
  const { message = `The service responded with HTTP ${status}.`, code } = reply?.error ?? {}
  throw new ForwardError(message, typeof code === 'number' ? code : INTERNAL_ERROR)
}

function parse(text: string): Reply | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? json : undefined
  } catch {
    return undefined
  }
}
