// Pagers, push services and custom receivers, as documented in November 2026.
import { createHmac } from 'node:crypto'
import {
  checker,
  type Form,
  json,
  list,
  object,
  one,
  type ReceivedRequest,
  text,
  time,
  url,
  words,
} from './form.ts'

export const pagerDuty: Form = {
  channel: 'PAGERDUTY',
  isAt: (path) => path === '/v2/enqueue',
  account: ({ body }) => String(body['routing_key']),
  check: checker(
    object({
      routing_key: { type: 'string', pattern: '^[A-Za-z0-9]{32}$' },
      event_action: one('trigger', 'acknowledge', 'resolve'),
      dedup_key: text(255),
      client: text(255),
      client_url: url(),
      links: list(object({ href: url(), text: text(255) }), 100),
      payload: object({
        summary: text(1024),
        source: text(1024),
        severity: one('critical', 'error', 'warning', 'info'),
        timestamp: time,
        custom_details: words,
      }),
    }),
  ),
  accepted: json(202, { status: 'success', message: 'Event processed', dedup_key: 'k' }),
  busy: { status: 429 },
  broken: json(500, { status: 'error', message: 'Internal error', errors: ['Try again'] }),
  // A well-formed key that belongs to nothing: plain text.
  revoked: { status: 400, body: 'Invalid routing key' },
  refused: (errors) =>
    json(400, { status: 'invalid event', message: 'Event object is invalid', errors }),
}

const createAlert = checker(
  object({
    message: text(130),
    alias: text(512),
    description: text(15_000),
    details: words,
    entity: text(512),
    source: text(100),
    priority: one('P1', 'P2', 'P3', 'P4', 'P5'),
  }),
  ({ path }) => path !== '/v2/alerts' && `asked at ${path}`,
)
const closeAlert = checker(
  object({ source: text(100), note: text(25_000) }),
  ({ path }) =>
    !/^\/v2\/alerts\/[^/]+\/close\?identifierType=alias$/.test(path) && `asked at ${path}`,
)

export const opsgenie: Form = {
  channel: 'OPSGENIE',
  isAt: (path) => path.startsWith('/v2/alerts'),
  account: ({ headers }) => headers['authorization'] ?? '',
  check: (heard) => [
    ...(heard.path === '/v2/alerts' ? createAlert : closeAlert)(heard),
    ...(/^GenieKey \S+$/.test(heard.headers['authorization'] ?? '') ? [] : ['no GenieKey']),
  ],
  accepted: json(202, { result: 'Request will be processed', took: 0.3, requestId: 'r' }),
  busy: json(429, { message: 'You are making too many requests!', took: 0 }),
  broken: json(503, { message: 'Service unavailable', took: 0 }),
  revoked: json(403, { message: 'Api key is invalid', took: 0 }),
}

export const ntfy: Form = {
  channel: 'NTFY',
  isAt: (path) => path === '/',
  account: ({ headers, body }) => `${headers['authorization']} ${body['topic']}`,
  check: checker(
    object({
      topic: { type: 'string', pattern: '^[-_A-Za-z0-9]{1,64}$' },
      title: text(1000),
      message: text(4096),
      priority: one(1, 2, 3, 4, 5),
      tags: list(text(64), 20),
      click: url(),
      actions: list(object({ action: one('view'), label: text(64), url: url() }), 3),
    }),
    ({ body }) => Buffer.byteLength(String(body['message'])) > 4096 && 'becomes a file',
    ({ headers }) => {
      const given = headers['authorization']
      return given !== undefined && !/^Bearer tk_\w+$/.test(given) && 'not an access token'
    },
  ),
  accepted: json(200, { id: 'a', time: 1, event: 'message', topic: 't' }),
  busy: json(429, { code: 42_901, http: 429, error: 'limit reached: too many requests' }),
  broken: json(500, { code: 50_001, http: 500, error: 'internal server error' }),
  revoked: json(401, { code: 40_101, http: 401, error: 'unauthorized' }),
}

export const pushover: Form = {
  channel: 'PUSHOVER',
  isAt: (path) => path === '/1/messages.json',
  account: ({ body }) => String(body['token']),
  check: checker(
    object({
      token: text(64),
      user: text(64),
      title: text(250),
      message: text(1024),
      // 2 requires more parameters: how long and how often it rings.
      priority: one(-2, -1, 0, 1),
      url: url(512),
      url_title: text(100),
      timestamp: { type: 'integer', minimum: 1 },
    }),
  ),
  accepted: json(200, { status: 1, request: 'r' }),
  busy: json(429, { status: 0, request: 'r', errors: ['application is over its quota'] }),
  broken: json(500, { status: 0, request: 'r', errors: ['internal error'] }),
  revoked: json(400, {
    token: 'invalid',
    status: 0,
    request: 'r',
    errors: ['application token is invalid'],
  }),
}

const isOwnForm = checker(
  object({
    kind: text(40),
    thread: text(100),
    organization: text(200),
    title: text(200),
    summary: text(500),
    facts: {
      type: 'array',
      maxItems: 10,
      items: object({ label: text(40), value: text(200) }),
    },
    links: object({ open: url(), acknowledge: { type: ['string', 'null'] } }),
    at: time,
    headline: text(210),
    severity: one('CRITICAL', 'WARNING', 'INFO'),
  }),
)
const MAX_AGE_SECONDS = 300

/** The Standard Webhooks scheme, as documented. `secretOf` returns the secret of a path. */
export function ownReceiver(secretOf: (path: string) => string | undefined): Form {
  return {
    channel: 'WEBHOOK',
    isAt: (path) => path.startsWith('/own'),
    account: ({ path }) => path,
    check: (heard) => [...isOwnForm(heard), ...signatureProblems(heard, secretOf(heard.path))],
    accepted: { status: 204 },
    busy: { status: 429, headers: { 'retry-after': '1' }, body: 'slow down' },
    broken: { status: 503, body: 'upstream' },
    revoked: { status: 410, body: 'gone' },
  }
}

function signatureProblems(
  { headers, raw }: ReceivedRequest,
  secret: string | undefined,
): string[] {
  if (secret === undefined) return ['no secret is known']
  const id = headers['webhook-id'] ?? ''
  const at = headers['webhook-timestamp'] ?? ''
  if (!id.startsWith('whd_')) return [`id ${id}`]
  if (!(Math.abs(Date.now() / 1000 - Number(at)) < MAX_AGE_SECONDS)) return [`timestamp ${at}`]
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${at}.${raw}`).digest('base64')
  return headers['webhook-signature'] === `v1,${expected}` ? [] : ['signature']
}
