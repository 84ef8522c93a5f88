// A client that adds nothing and hides nothing: it sends what it is given and returns what comes back.
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { text as readText } from 'node:stream/consumers'

const TIMEOUT_MS = 30_000
const MAX_SOCKETS = 64

export type RawRequest = {
  method?: string
  /** The request target exactly as it appears in the request line. */
  path: string
  headers?: OutgoingHttpHeaders
  /** An object is sent as JSON with its content type; text and bytes are sent unchanged. */
  body?: object | string | Buffer
}
export type Reply = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** Throws if the response is not JSON. */
  json<T = Record<string, unknown>>(): T
}

export class Client {
  readonly #url: URL
  readonly #key: string | undefined
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS })

  constructor(baseUrl: string, key?: string) {
    this.#url = new URL(baseUrl)
    this.#key = key
  }

  /** Rejects if there is no response at all. */
  async send({ method = 'GET', path, headers = {}, body }: RawRequest): Promise<Reply> {
    const isJson = typeof body === 'object' && !Buffer.isBuffer(body)
    const payload = isJson ? JSON.stringify(body) : body
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const outgoing = request({
      host: this.#url.hostname,
      port: this.#url.port,
      method,
      path,
      agent: this.#agent,
      timeout: TIMEOUT_MS,
      headers: {
        ...(this.#key !== undefined && { 'X-API-Key': this.#key }),
        ...(isJson && { 'Content-Type': 'application/json' }),
        ...(payload !== undefined && { 'Content-Length': Buffer.byteLength(payload) }),
        ...headers,
      },
    })
    outgoing.on('error', reject)
    outgoing.on('timeout', () => outgoing.destroy(new Error(`No answer in ${TIMEOUT_MS} ms`)))
    outgoing.on('response', (incoming) => {
      const { statusCode: status = 0, headers: received } = incoming
      readText(incoming).then(
        (text) => resolve({ status, headers: received, text, json: () => JSON.parse(text) }),
        reject,
      )
    })
    outgoing.end(payload)
    return promise
  }

  close(): void {
    this.#agent.destroy()
  }
}
