// Push services, phones, and receivers that take anything, as documented in November 2026.
import {
  checker,
  checkerOf,
  FORM_TYPE,
  type Form,
  hasHeader,
  json,
  object,
  one,
  type ReceivedRequest,
  text,
  url,
} from './form.ts'

export const gotify: Form = {
  channel: 'GOTIFY',
  isAt: (path) => path === '/message',
  account: ({ headers }) => String(headers['x-gotify-key']),
  check: checker(
    object({
      title: text(1000),
      message: text(4096),
      priority: one(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
      extras: object({
        'client::notification': object({ click: object({ url: url() }) }),
      }),
    }),
  ),
  accepted: json(200, { id: 25, appid: 5, message: 'm', title: 't', priority: 2 }),
  busy: json(
    429,
    { error: 'Too Many Requests', errorCode: 429, errorDescription: 'slow down' },
    { 'retry-after': '1' },
  ),
  broken: json(500, { error: 'Internal Server Error', errorCode: 500, errorDescription: '' }),
  revoked: json(401, {
    error: 'Unauthorized',
    errorCode: 401,
    errorDescription: 'you need to provide a valid access token or user credentials',
  }),
}

const PHONE = { type: 'string', pattern: '^\\+[1-9][0-9]{6,14}$' }
const basic = hasHeader('authorization', /^Basic [A-Za-z0-9+/=]+$/)
const message = checkerOf(
  { method: 'POST', type: FORM_TYPE },
  object({ From: PHONE, To: PHONE, Body: text(1600) }),
  basic,
)
const call = checkerOf(
  { method: 'POST', type: FORM_TYPE },
  object({ From: PHONE, To: PHONE, Twiml: text(4000) }),
  basic,
  ({ body }) =>
    !/^<Response><Say loop="2">[^<>]*<\/Say><\/Response>$/.test(String(body['Twiml'])) &&
    'no TwiML',
)

export const twilio: Form = {
  channel: 'TWILIO',
  isAt: (path) => path.startsWith('/2010-04-01/'),
  account: ({ headers }) =>
    Buffer.from((headers['authorization'] ?? '').slice('Basic '.length), 'base64').toString(),
  check(heard) {
    const [, what] =
      /^\/2010-04-01\/Accounts\/AC[0-9a-f]{32}\/(Messages|Calls)\.json$/.exec(heard.path) ?? []
    if (what === undefined) return [`asked at ${heard.path}`]
    return (what === 'Calls' ? call : message)(heard)
  },
  accepted: json(201, { sid: 'SM1', status: 'queued', error_code: null }),
  busy: json(
    429,
    { code: 20_429, message: 'Too Many Requests', status: 429 },
    { 'retry-after': '1' },
  ),
  broken: json(503, { code: 20_503, message: 'Service unavailable', status: 503 }),
  revoked: json(401, { code: 20_003, message: 'Authenticate', status: 401 }),
}

const TYPE = one('info', 'success', 'warning', 'failure')
const said = { title: text(250), body: text(32_768), type: TYPE, format: one('text') }
const byKey = checker(object({ ...said, 'tag?': text(1000) }))
const byUrls = checker(object({ ...said, urls: text(2048) }))

export const apprise: Form = {
  channel: 'APPRISE',
  isAt: (path) => path === '/notify' || path.startsWith('/notify/'),
  account: ({ path, body }) => `${path} ${body['urls']}`,
  check: (heard) => (heard.path === '/notify' ? byUrls : byKey)(heard),
  accepted: json(200, { error: '' }),
  busy: json(429, { error: 'Too many requests' }, { 'retry-after': '1' }),
  broken: json(500, { error: 'Could not load the configuration' }),
  // Nothing is stored under the key.
  revoked: { status: 204 },
}

/** Takes any method, header and body. A path says in which form the body must be. */
export const customReceiver: Form = {
  channel: 'CUSTOM_WEBHOOK',
  isAt: (path) => path.startsWith('/custom/'),
  account: ({ path }) => path,
  check: (heard) => (isSound(heard) ? [] : ['a body that is not what it says']),
  accepted: { status: 204 },
  busy: { status: 429, headers: { 'retry-after': '1' }, body: 'slow down' },
  broken: { status: 503, body: 'upstream' },
  revoked: { status: 410, body: 'gone' },
}

function isSound({ method, headers, raw }: ReceivedRequest): boolean {
  if (method === 'GET') return raw === ''
  if (headers['content-type']?.startsWith('application/json') !== true) return raw !== ''
  try {
    JSON.parse(raw)
    return true
  } catch {
    return false
  }
}
