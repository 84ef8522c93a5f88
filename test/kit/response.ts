// A response, with accessors for tests.
import assert from 'node:assert/strict'
import type { Incident, IncidentDetail, Monitor } from './shapes.ts'
import type {
  DeliveryDetail,
  EndpointWithSecret,
  WebhookDelivery,
  WebhookEndpoint,
} from './webhook-shapes.ts'

type Details = { path: string; message: string }[]
export type ErrorBody = { code: string; message: string; requestId: string; details?: Details }
type Page<Item> = {
  data: Item[]
  pagination: { limit: number; offset: number; total: number }
}

export class ApiResponse {
  readonly status: number
  /** Names in lower case; a repeated name is rejected when the response is read. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string

  constructor(status: number, rawHeaders: readonly string[], text: string) {
    this.status = status
    this.text = text
    this.headers = toHeaders(rawHeaders)
  }

  get json(): unknown {
    return JSON.parse(this.text)
  }

  get requestId(): string {
    return this.headers['x-request-id'] ?? ''
  }

  get isReplayed(): boolean {
    return this.headers['idempotency-replayed'] === 'true'
  }

  get error(): ErrorBody {
    assert.ok(this.status >= 400, `an error was expected, but it is ${this.status} ${this.text}`)
    return (this.json as { error: ErrorBody }).error
  }

  get code(): string {
    return this.status < 400 ? `${this.status} ${this.text}` : this.error.code
  }

  /** The paths of `details`, in order. */
  get paths(): string[] {
    return (this.error.details ?? []).map(({ path }) => path)
  }

  // Safe because the client has already validated the body of every 2xx against its exact shape.
  get monitor(): Monitor {
    return this.#success() as Monitor
  }
  get incident(): IncidentDetail {
    return this.#success() as IncidentDetail
  }
  get monitors(): Page<Monitor> {
    return this.#success() as Page<Monitor>
  }
  get incidents(): Page<Incident> {
    return this.#success() as Page<Incident>
  }
  get endpoint(): WebhookEndpoint {
    return this.#success() as WebhookEndpoint
  }
  get endpointWithSecret(): EndpointWithSecret {
    return this.#success() as EndpointWithSecret
  }
  get endpoints(): Page<WebhookEndpoint> {
    return this.#success() as Page<WebhookEndpoint>
  }
  get delivery(): WebhookDelivery {
    return this.#success() as WebhookDelivery
  }
  get deliveryDetail(): DeliveryDetail {
    return this.#success() as DeliveryDetail
  }
  get deliveries(): Page<WebhookDelivery> {
    return this.#success() as Page<WebhookDelivery>
  }

  #success(): unknown {
    assert.ok(this.status < 300, `a success was expected, but it is ${this.status} ${this.text}`)
    return this.json
  }
}

function toHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase()
    assert.ok(!Object.hasOwn(headers, name), `the answer has the header ${name} twice`)
    headers[name] = raw[i + 1] ?? ''
  }
  return headers
}
