// Follows an organization's changes as a browser's EventSource does, and validates every message against the contract.
import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { APP_OPERATIONS, pathOf } from './operations.ts'

type Changes = {
  monitors?: { id: string; state: string; responseMs: number | null; lastCheckedAt: string }[]
  incidents?: { id: string; monitorId: string; acknowledgedAt: string | null }[]
  receivers?: { id: string; enabled: boolean; failingSince: string | null }[]
  events?: { id: string; type: string; about: string | null; monitorId: string | null }[]
  lists?: string[]
}
type Message = { name: string; id: string; data: Changes; atMs: number }
type FollowOptions = {
  lastEventId?: string
  /** The position of a read, for a first connection. */
  from?: string
  headers?: Record<string, string>
}
/** The cookies to send, and the process to connect to. */
type FollowerIdentity = { baseUrl: string; cookies: Map<string, string> }

const WAIT_MS = 10_000
const OPEN_MS = 10_000

const operation = APP_OPERATIONS.find(({ stream }) => stream !== undefined)
assert.ok(operation?.stream)
const ajv = new Ajv2020({ strict: false, allErrors: true })
const judges = new Map(
  Object.entries(operation.stream).map(([name, schema]) => [
    name,
    ajv.compile(JSON.parse(JSON.stringify(schema))),
  ]),
)

export class Follower {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly messages: Message[] = []
  /** Everything received, unparsed. */
  text = ''
  lastEventId = ''
  retryMs: number | undefined
  isOver = false
  readonly #response: IncomingMessage
  readonly #waiting = new Set<() => void>()
  #rest = ''

  constructor(response: IncomingMessage) {
    this.#response = response
    this.status = response.statusCode ?? 0
    this.headers = response.headers
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => this.#receive(chunk))
    response.on('error', () => {})
    response.once('close', () => {
      this.isOver = true
      this.#wake()
    })
  }

  get changes(): Changes[] {
    return this.messages.filter(({ name }) => name === 'changes').map(({ data }) => data)
  }

  get events() {
    return this.changes.flatMap(({ events = [] }) => events)
  }

  /** Waits until what was received matches; otherwise fails with what was received instead. */
  async until(what: string, fits: (follower: this) => boolean, waitMs = WAIT_MS): Promise<void> {
    const deadlineMs = Date.now() + waitMs
    while (!fits(this)) {
      const leftMs = deadlineMs - Date.now()
      if (leftMs <= 0) assert.fail(`${what}: not within ${waitMs} ms, but\n${this.text}`)
      await this.#next(leftMs)
    }
  }

  close(): void {
    this.#response.destroy()
  }

  #next(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#waiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, waitMs)
      this.#waiting.add(done)
    })
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
  }

  #receive(chunk: string): void {
    this.text += chunk
    const blocks = (this.#rest + chunk).split('\n\n')
    this.#rest = blocks.pop() ?? ''
    for (const block of blocks) this.#read(block)
    this.#wake()
  }

  #read(block: string): void {
    const fields = new Map<string, string>()
    for (const line of block.split('\n')) {
      const at = line.indexOf(':')
      if (at > 0) fields.set(line.slice(0, at), line.slice(at + 2))
    }
    const id = fields.get('id')
    if (id !== undefined) this.lastEventId = id
    if (fields.has('retry')) this.retryMs = Number(fields.get('retry'))
    const text = fields.get('data')
    if (text === undefined) return
    const name = fields.get('event') ?? 'message'
    const data = JSON.parse(text) as Changes
    const judge = judges.get(name)
    assert.ok(judge?.(data), `${name}: ${ajv.errorsText(judge?.errors)}\n${text}`)
    this.messages.push({ name, id: this.lastEventId, data, atMs: Date.now() })
  }
}

export function follow(
  who: FollowerIdentity,
  orgId: string,
  { lastEventId, from, headers = {} }: FollowOptions = {},
): Promise<Follower> {
  const { hostname, port } = new URL(who.baseUrl)
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  assert.ok(operation)
  const sent = {
    Accept: 'text/event-stream',
    Cookie: cookie,
    'Sec-Fetch-Site': 'same-origin',
    ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    ...headers,
  }
  const query = from === undefined ? '' : `?${new URLSearchParams({ from })}`
  const path = `/app/api${pathOf(operation, orgId)}${query}`
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, path, headers: sent, agent: false },
      (response) => {
        clearTimeout(timer)
        resolve(new Follower(response))
      },
    )
    const timer = setTimeout(() => request.destroy(new Error('No answer in time')), OPEN_MS)
    request.once('error', reject)
    request.end()
  })
}
