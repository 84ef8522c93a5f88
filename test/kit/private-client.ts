// A browser as the private API sees it: it stores cookies and sends its origin. Every response is checked against what
// all responses promise.
import assert from 'node:assert/strict'
import { Agent, request as httpRequest, type OutgoingHttpHeaders } from 'node:http'
import { ApiResponse } from './response.ts'

const RESPONSE_TIMEOUT_MS = 30_000
const REQUEST_ID = /^req_[0-9a-z]{26}$/

type VisitorRequest = {
  body?: unknown
  /** Added to, or instead of, what the dashboard would send; undefined omits one. */
  headers?: Record<string, string | undefined>
  timeoutMs?: number
}

export type VisitorOptions = {
  baseUrl: string
  /** The public origin, if it is not the URL that is connected to. */
  origin?: string
  /** The visitor's address, for a product that trusts us as its proxy. */
  address?: string
  agent?: Agent
  /** Validates the response against the contract. */
  assertReply?: (method: string, path: string, answer: ApiResponse) => void
  readLog?: () => string
}

export const keepAlive = () => new Agent({ keepAlive: true, maxSockets: 64 })

export class Visitor {
  readonly baseUrl: string
  readonly origin: string
  readonly cookies = new Map<string, string>()
  readonly #options: VisitorOptions

  constructor(options: VisitorOptions) {
    this.baseUrl = options.baseUrl
    this.origin = options.origin ?? options.baseUrl
    this.#options = options
  }

  get(path: string, asking?: VisitorRequest): Promise<ApiResponse> {
    return this.request('GET', path, asking)
  }
  post(path: string, body?: unknown, asking: VisitorRequest = {}): Promise<ApiResponse> {
    return this.request('POST', path, body === undefined ? asking : { ...asking, body })
  }
  patch(path: string, body: unknown, asking: VisitorRequest = {}): Promise<ApiResponse> {
    return this.request('PATCH', path, { ...asking, body })
  }
  delete(path: string, asking?: VisitorRequest): Promise<ApiResponse> {
    return this.request('DELETE', path, asking)
  }

  /** `path` is relative to /app/api. */
  async request(method: string, path: string, asking: VisitorRequest = {}): Promise<ApiResponse> {
    const target = `/app/api${path}`
    const answer = await this.exchange(method, target, asking)
    if (answer.status >= 500)
      assert.fail(`${method} ${target}: ${answer.text}\n${this.#options.readLog?.() ?? ''}`)
    assertResponse(answer)
    if (answer.status < 300) this.#options.assertReply?.(method, target, answer)
    return answer
  }

  signIn(email: string, password: string): Promise<ApiResponse> {
    return this.post('/session', { email, password })
  }

  async step(): Promise<string> {
    return ((await this.get('/session')).json as { step: string }).step
  }

  /** Takes whole paths and accepts any response. Redirects are returned, not followed, and cookies are stored. */
  exchange(
    method: string,
    path: string,
    { body, headers = {}, timeoutMs = RESPONSE_TIMEOUT_MS }: VisitorRequest = {},
  ): Promise<ApiResponse> {
    const { hostname, port } = new URL(this.baseUrl)
    const text = body === undefined ? undefined : JSON.stringify(body)
    const sent = clean({ ...this.#headers(text), ...headers })
    const { agent } = this.#options
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        { hostname, port, method, path, headers: sent, ...(agent && { agent }) },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const cookies = response.headers['set-cookie'] ?? []
            for (const cookie of cookies) this.keep(cookie)
            const raw = joinCookies(response.rawHeaders, cookies)
            resolve(
              new ApiResponse(response.statusCode ?? 0, raw, Buffer.concat(chunks).toString()),
            )
          })
        },
      )
      request.setTimeout(timeoutMs, () => request.destroy(new Error('No answer in time')))
      request.on('error', reject)
      request.end(text)
    })
  }

  keep(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split('; ')
    const at = pair.indexOf('=')
    const isOver = attributes.some((attribute) => /^max-age=0$/i.test(attribute))
    if (isOver) this.cookies.delete(pair.slice(0, at))
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }

  #headers(text: string | undefined): Record<string, string | undefined> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return {
      Origin: this.origin,
      'Sec-Fetch-Site': 'same-origin',
      'User-Agent': 'Tests/1',
      Cookie: cookie === '' ? undefined : cookie,
      'X-Forwarded-For': this.#options.address,
      'Content-Type': text === undefined ? undefined : 'application/json',
      'Content-Length': text === undefined ? undefined : String(Buffer.byteLength(text)),
    }
  }
}

const FILES = new Set(['text/csv; charset=utf-8', 'application/x-ndjson'])

function assertResponse(answer: ApiResponse): void {
  const { headers, status, text, requestId } = answer
  const isFile = FILES.has(headers['content-type'] ?? '') && status === 200
  if (!isFile) assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['access-control-allow-origin'], undefined)
  // A file is streamed: its length is not known beforehand.
  if (isFile) assert.equal(headers['transfer-encoding'], 'chunked')
  else assert.equal(headers['content-length'], String(Buffer.byteLength(text)))
  assert.match(requestId, REQUEST_ID)
  if (status < 400) return
  const { error } = answer.json as { error: Record<string, unknown> }
  const keys = Object.keys(error).filter((key) => key !== 'details')
  assert.deepEqual(keys, ['code', 'message', 'requestId'])
  assert.equal(error['requestId'], requestId)
}

function clean(headers: Record<string, string | undefined>): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
}

/** The only header that may occur twice. */
function joinCookies(raw: readonly string[], cookies: readonly string[]): string[] {
  const others = raw.filter((_, i) => (raw[i - (i % 2)] ?? '').toLowerCase() !== 'set-cookie')
  return cookies.length === 0 ? others : [...others, 'Set-Cookie', cookies.join('\n')]
}
