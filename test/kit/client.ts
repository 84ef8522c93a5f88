// The only way tests talk to the API. Every response is checked against what all responses promise, and no two may
// share a request id, so no test can forget to check.
import assert from 'node:assert/strict'
import { Agent, request as httpRequest, type OutgoingHttpHeaders } from 'node:http'
import { assertResponse } from './assert-response.ts'
import { ApiResponse } from './response.ts'
import type { Monitor } from './shapes.ts'
import type {
  DeliveryDetail,
  EndpointWithSecret,
  WebhookDelivery,
  WebhookEndpoint,
} from './webhook-shapes.ts'

const MAX_SOCKETS = 32
const RESPONSE_TIMEOUT_MS = 30_000
const HOOK_URL = 'https://hooks.example.com/upvane'

export type ApiRequest = {
  /** The key in X-API-Key; null sends none. Defaults to the client's own. */
  key?: string | null
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged, with the JSON content type unless `headers` says otherwise. */
  rawBody?: string | Buffer
  chunked?: boolean
  headers?: OutgoingHttpHeaders
}

type ClientOptions = {
  baseUrl: string
  key: string
  rateLimit: number
  /** The product's log of its own faults, shown if a response is a 5xx. */
  readLog?: () => string
  requestIds?: Set<string>
}

export class Client {
  readonly baseUrl: string
  readonly rateLimit: number
  readonly #options: ClientOptions
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS })
  readonly #requestIds: Set<string>

  constructor(options: ClientOptions) {
    this.baseUrl = options.baseUrl
    this.rateLimit = options.rateLimit
    this.#options = options
    this.#requestIds = options.requestIds ?? new Set()
  }

  /** The same API with another key. */
  as(key: string): Client {
    return new Client({ ...this.#options, key, requestIds: this.#requestIds })
  }

  /** `path` is relative to /api/v1, or a whole request target. */
  async request(method: string, path: string, options: ApiRequest = {}): Promise<ApiResponse> {
    const target = path.startsWith('/api') ? path : `/api/v1${path}`
    const answer = await this.#exchange(method, target, options)
    // No test expects a response that means a fault of ours.
    if (answer.status >= 500)
      assert.fail(`${method} ${target}: ${answer.text}\n${this.#options.readLog?.() ?? ''}`)
    assertResponse(answer, { method, path: target, rateLimit: this.rateLimit })
    assert.ok(!this.#requestIds.has(answer.requestId), 'a request id was given out twice')
    this.#requestIds.add(answer.requestId)
    return answer
  }

  get(path: string, options?: ApiRequest): Promise<ApiResponse> {
    return this.request('GET', path, options)
  }
  post(path: string, body?: unknown, options: ApiRequest = {}): Promise<ApiResponse> {
    return this.request('POST', path, body === undefined ? options : { ...options, body })
  }
  put(path: string, body?: unknown, options: ApiRequest = {}): Promise<ApiResponse> {
    return this.request('PUT', path, body === undefined ? options : { ...options, body })
  }
  patch(path: string, body: unknown, options: ApiRequest = {}): Promise<ApiResponse> {
    return this.request('PATCH', path, { ...options, body })
  }
  delete(path: string, options?: ApiRequest): Promise<ApiResponse> {
    return this.request('DELETE', path, options)
  }

  /** Creates a monitor, by default the smallest possible, and asserts success. */
  async createMonitor(fields: Record<string, unknown> = {}): Promise<Monitor> {
    const answer = await this.post('/monitors', { name: 'Monitor', type: 'CRON', ...fields })
    assert.equal(answer.status, 201, answer.text)
    return answer.monitor
  }

  async getMonitor(id: string): Promise<Monitor> {
    return (await this.get(`/monitors/${id}`)).monitor
  }

  /** Creates a webhook endpoint for all events, and asserts success. */
  async createEndpoint(fields: Record<string, unknown> = {}): Promise<EndpointWithSecret> {
    const answer = await this.post('/webhook-endpoints', { url: HOOK_URL, ...fields })
    assert.equal(answer.status, 201, answer.text)
    return answer.endpointWithSecret
  }

  async getEndpoint(id: string): Promise<WebhookEndpoint> {
    return (await this.get(`/webhook-endpoints/${id}`)).endpoint
  }

  /** Queues a test event for the endpoint. */
  async testEndpoint(id: string): Promise<WebhookDelivery> {
    return (await this.post(`/webhook-endpoints/${id}/test`)).delivery
  }

  async getDelivery(id: string): Promise<DeliveryDetail> {
    return (await this.get(`/webhook-deliveries/${id}`)).deliveryDetail
  }

  /** The newest hundred deliveries to one endpoint, whether or not it still exists. */
  async deliveriesTo(endpointId: string): Promise<WebhookDelivery[]> {
    const path = `/webhook-deliveries?limit=100&endpointId=${endpointId}`
    return (await this.get(path)).deliveries.data
  }

  close(): void {
    this.#agent.destroy()
  }

  #exchange(method: string, path: string, ask: ApiRequest): Promise<ApiResponse> {
    const { hostname, port } = new URL(this.baseUrl)
    const body = ask.body === undefined ? ask.rawBody : JSON.stringify(ask.body)
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        { hostname, port, method, path, agent: this.#agent, headers: this.#headers(ask, body) },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString()
            resolve(new ApiResponse(response.statusCode ?? 0, response.rawHeaders, text))
          })
        },
      )
      request.setTimeout(RESPONSE_TIMEOUT_MS, () => request.destroy(new Error('No answer in time')))
      request.on('error', reject)
      request.end(body)
    })
  }

  #headers(
    { key, headers, chunked }: ApiRequest,
    body: string | Buffer | undefined,
  ): OutgoingHttpHeaders {
    const secret = key === undefined ? this.#options.key : key
    return {
      ...(secret !== null && { 'X-API-Key': secret }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(chunked
        ? { 'Transfer-Encoding': 'chunked' }
        : body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
      ...headers,
    }
  }
}
