// Lets the protocol's own library respond to one message.
import type { IncomingMessage } from 'node:http'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { SentResponse } from '../http/response.ts'
import { type AssistantSession, createAssistantServer } from './assistant-server.ts'

const METHOD_NOT_FOUND = -32_601
const INVALID_REQUEST = -32_600
// The list of tools has 12 kB, and 8 kB of an answer are at most twice as much as JSON inside JSON. What is longer
// repeats what was sent, such as the name of a tool.
const MAX_REPLY_CHARACTERS = 20_000
const MAX_ID_CHARACTERS = 200
// A stream without end, which a service without sessions does not have.
const STREAMING_METHOD = 'subscriptions/listen'

export type Message = { id?: unknown; method?: unknown }

export async function respond(
  request: IncomingMessage,
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
  return new Request('http://localhost/mcp', {
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
