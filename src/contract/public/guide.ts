// What applies to every operation, in a few sentences each. Shown in openapi.json and in the reference.

export type Chapter = {
  id: string
  title: string
  /** Paragraphs; `code` in backticks. */
  text: readonly string[]
  sample?: { title: string; code: string }
}

export const GUIDE: readonly Chapter[] = [
  {
    id: 'authentication',
    title: 'Authentication',
    text: [
      'Every request needs an API key of your organization, in the header `X-API-Key` or as `Authorization: Bearer`. Send one of the two, not both: some generated clients send every declared scheme, and both headers together return 401.',
      'Create a key in the dashboard, or on the server with `upvane key create`. It is shown once. A read-only key can list and get everything; any other method returns 403 `forbidden`. Treat both kinds as secrets: keep them out of browsers and source control.',
      'A missing, expired, disabled or invalid key returns 401 `unauthorized`.',
    ],
    sample: {
      title: 'A first request',
      code: 'curl {base_url}/api/v1/monitors \\\n  -H "X-API-Key: $UPVANE_API_KEY"',
    },
  },
  {
    id: 'rate-limit',
    title: 'Rate limit',
    text: [
      '120 requests in 60 seconds for each key. The window starts with the first request. Every response has the headers below, also a 401.',
      'Beyond the limit the response is 429 `rate_limited`, and `Retry-After` has the seconds to wait.',
    ],
    sample: {
      title: 'Headers of every response',
      code: 'RateLimit-Limit: 120\nRateLimit-Remaining: 119\nRateLimit-Reset: 60\nRateLimit: public-api;r=119;t=60\nRateLimit-Policy: public-api;q=120;w=60',
    },
  },
  {
    id: 'idempotency',
    title: 'Idempotency',
    text: [
      'Send an `Idempotency-Key` with any request that is not a GET, and you can retry it safely: the first successful response is stored for 24 hours and returned again, with the header `Idempotency-Replayed: true`. Any other response frees the key.',
      'A key is 1 to 200 letters, digits and `._:-`, and belongs to your organization. While the first request runs, every other request with the key returns 409 `idempotency_in_progress`. Afterward, another method, path or body returns 409 `idempotency_conflict`. Unknown fields do not count, and on create `null` equals a field you leave out if it has no default.',
      'Stored responses have a quota in bytes for each organization. When it is used up, a request with a new key is refused before it runs: 429 `rate_limited` with `Retry-After`. Requests without a key still work.',
    ],
    sample: {
      title: 'A request that can be repeated',
      code: 'curl -X POST {base_url}/api/v1/monitors \\\n  -H "X-API-Key: $UPVANE_API_KEY" \\\n  -H "Idempotency-Key: deploy-4711" \\\n  -H "Content-Type: application/json" \\\n  -d \'{\n    "name": "Checkout",\n    "type": "HTTP",\n    "url": "https://shop.example.com"\n  }\'',
    },
  },
  {
    id: 'errors',
    title: 'Errors',
    text: [
      'Every failure has the same shape. Branch on `error.code`, never on the message. Quote `error.requestId` when you ask for help: it is in the header `X-Request-Id` too.',
      '`details` is there only with `validation_error` and lists every problem with the dotted path of its field.',
    ],
    sample: {
      title: 'A failure',
      code: '{\n  "error": {\n    "code": "validation_error",\n    "message": "The request is not valid.",\n    "requestId": "req_01m7e3dhx0e008000mxrf1bnxa",\n    "details": [\n      {\n        "path": "url",\n        "message": "url is required for HTTP monitors"\n      }\n    ]\n  }\n}',
    },
  },
  {
    id: 'pagination',
    title: 'Pagination',
    text: [
      'Lists take `limit` (1 to 100, 25 if left out) and `offset` (0 to 100000), and return the newest first. `total` counts everything that matches the filters. Keep paging until `offset` + `limit` reaches `total`.',
      'A filter with fixed values takes several: with commas (`state=UP,DOWN`), repeated (`state=UP&state=DOWN`), or both.',
    ],
    sample: {
      title: 'A page',
      code: '{\n  "data": [],\n  "pagination": { "limit": 25, "offset": 0, "total": 125 }\n}',
    },
  },
  {
    id: 'versioning',
    title: 'Versioning',
    text: [
      'The version is in the path: `/api/v1`. New endpoints, optional request fields and response fields may appear at any time, so ignore fields you do not know. Anything that could break you becomes a new version, and the old one keeps working.',
      'A deprecated operation says so in the headers `Deprecation`, `Sunset` and `Link`, at least 180 days before it may stop. None is deprecated now.',
      'Times are ISO 8601 with an offset. Answers are always UTC with milliseconds.',
    ],
  },
]

export const TAGS: Readonly<Record<string, string>> = {
  Monitors: 'Checks of a service.',
  Incidents: 'Outages detected from failed checks.',
  'Status pages': 'Public pages that show how your services are.',
  'Maintenance windows': 'Planned work: no alerts, and shown as scheduled on status pages.',
  'Published incidents': 'Incidents you write and publish on status pages.',
  'Webhook endpoints': 'Addresses that receive signed events.',
  'Webhook deliveries': 'What was sent to them, with every attempt.',
}
