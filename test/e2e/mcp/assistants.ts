// Real clients of the Model Context Protocol: of its 2025 generation and of 2026-07-28, over HTTP and over stdio.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { COMPILE_CACHE } from '../../../tools/compile-cache.ts'

const MAIN = join(import.meta.dirname, '../../../cli/src/main.ts')
const INFO = { name: 'test', version: '1.0.0' }
const MODERN = { versionNegotiation: { mode: { pin: '2026-07-28' } } }

export const GENERATIONS = ['2025', '2026'] as const
export type Generation = (typeof GENERATIONS)[number]
type Tool = { name: string; annotations?: { readOnlyHint?: boolean } }
type Answer = { isError: boolean; text: string; json: Record<string, unknown> }

export type Assistant = {
  willSendToolChanges: boolean
  tools(): Promise<Tool[]>
  call(name: string, args?: Record<string, unknown>): Promise<Answer>
  close(): Promise<void>
}

type Target = { baseUrl: string; key: string }

export async function overHttp(generation: Generation, target: Target): Promise<Assistant> {
  const url = new URL(`${target.baseUrl}/mcp`)
  const options = { requestInit: { headers: { 'X-API-Key': target.key } } }
  return generation === '2025'
    ? connect(new OldClient(INFO), new OldHttp(url, options))
    : connect(new Client(INFO, MODERN), new StreamableHTTPClientTransport(url, options))
}

export async function overStdio(
  generation: Generation,
  { baseUrl, key }: Target,
  flags: string[] = [],
): Promise<Assistant> {
  const server = {
    command: process.execPath,
    args: [MAIN, 'mcp', ...flags],
    env: {
      PATH: process.env['PATH'] ?? '',
      ...COMPILE_CACHE,
      UPVANE_URL: baseUrl,
      UPVANE_API_KEY: key,
    },
  }
  return generation === '2025'
    ? connect(new OldClient(INFO), new OldStdio(server))
    : connect(new Client(INFO, MODERN), new StdioClientTransport(server))
}

/** What both generations of clients have. Their types differ in optional properties only. */
type AnyClient = {
  connect(transport: never): Promise<void>
  getServerCapabilities(): { tools?: { listChanged?: boolean | undefined } | undefined } | undefined
  listTools(): Promise<unknown>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

async function connect(client: AnyClient, transport: unknown): Promise<Assistant> {
  await client.connect(transport as never)
  return {
    willSendToolChanges: client.getServerCapabilities()?.tools?.listChanged ?? false,
    tools: async () => ((await client.listTools()) as { tools: Tool[] }).tools,
    call: async (name, args = {}) => {
      try {
        return toAnswer(await client.callTool({ name, arguments: args }))
      } catch (error) {
        // A tool that is not there is an error of the protocol.
        return { isError: true, text: String(error), json: {} }
      }
    },
    close: () => client.close(),
  }
}

function toAnswer(result: unknown): Answer {
  type Result = { content: { type: string; text: string }[]; isError?: boolean }
  const { content, isError = false } = result as Result
  assert.equal(content.length, 1)
  const text = content[0]?.text ?? ''
  const json = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
  return { isError, text, json }
}
