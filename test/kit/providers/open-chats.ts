// Chats that people host themselves, as documented in November 2026.
import {
  checker,
  checkerOf,
  type Form,
  hasHeader,
  json,
  list,
  object,
  one,
  type Rule,
  text,
  url,
} from './form.ts'

const color = { type: 'string', pattern: '^#[0-9a-f]{6}$' }
const attachment = (footer: number) =>
  object({
    fallback: text(4000),
    color,
    title: text(1024),
    title_link: url(),
    text: text(7600),
    fields: {
      type: 'array',
      maxItems: 25,
      items: object({ short: { type: 'boolean' }, title: text(1024), value: text(4000) }),
    },
    footer: text(footer),
  })
const mentionsNobody: Rule = ({ raw }) =>
  /@(all|channel|here|everyone|\w)/.test(raw.replaceAll(/"(?:title_link)":"[^"]*"/g, '')) &&
  'mentions somebody'
/** Only our own links are Markdown. */
const linksOnly: Rule = ({ raw }) =>
  /(?<!\\|\[Open|\[Acknowledge)\]\(/.test(raw) && 'a link that only looks like its text'

export const mattermost: Form = {
  channel: 'MATTERMOST',
  isAt: (path) => /^\/hooks\/[^/]+$/.test(path),
  account: ({ path }) => path,
  check: checker(
    object({ text: text(16_383), attachments: list(attachment(300), 20) }),
    mentionsNobody,
    linksOnly,
  ),
  accepted: { status: 200, body: 'ok' },
  busy: json(
    429,
    { id: 'api.context.rate_limit.app_error', message: 'limit exceeded', status_code: 429 },
    { 'retry-after': '1', 'x-ratelimit-reset': '1' },
  ),
  broken: json(500, { id: 'web.app_error', message: 'Internal error', status_code: 500 }),
  revoked: json(404, {
    id: 'store.sql_webhooks.get_incoming.app_error',
    message: 'Unable to get the webhook.',
    status_code: 404,
  }),
}

export const rocketChat: Form = {
  channel: 'ROCKET_CHAT',
  isAt: (path) => /^\/hooks\/[^/]+\/[^/]+$/.test(path),
  account: ({ path }) => path,
  check: checker(
    object({ text: text(5000), attachments: list(attachment(300), 20) }),
    mentionsNobody,
    linksOnly,
  ),
  accepted: json(200, { success: true }),
  busy: json(
    429,
    { success: false, error: 'Error, too many requests. Please slow down.' },
    { 'retry-after': '1' },
  ),
  broken: json(500, { success: false, error: 'Internal server error' }),
  revoked: json(401, { success: false, error: 'Invalid integration id or token provided.' }),
}

const threads = object({
  rel_type: one('m.thread'),
  event_id: { type: 'string', pattern: '^\\$' },
  is_falling_back: { type: 'boolean' },
  'm.in_reply_to': object({ event_id: { type: 'string', pattern: '^\\$' } }),
})
const TAGS = /<(?:\/?(?:b|i|ul|li)|br|a href="https?:[^"<>]*"|\/a)>/g
const isMatrixHtml: Rule = ({ body }) =>
  /[<>]/.test(String(body['formatted_body']).replaceAll(TAGS, '')) && 'unknown HTML'
const MATRIX_PATH =
  /^\/_matrix\/client\/v3\/rooms\/(![^/]+)\/send\/m\.room\.message\/([0-9a-f-]{36})$/
// The homeserver answers a repeated transaction with the event that it made before.
const events = new Map<string, string>()

export const matrix: Form = {
  channel: 'MATRIX',
  isAt: (path) => path.startsWith('/_matrix/'),
  account: ({ headers }) => headers['authorization'] ?? '',
  check: checkerOf(
    { method: 'PUT' },
    object({
      msgtype: one('m.text'),
      body: text(20_000),
      format: one('org.matrix.custom.html'),
      formatted_body: text(40_000),
      'm.mentions': object({}),
      'm.relates_to?': threads,
    }),
    isMatrixHtml,
    hasHeader('authorization', /^Bearer \S+$/),
    ({ path }) => !MATRIX_PATH.test(path) && `asked at ${path}`,
    ({ raw }) => Buffer.byteLength(raw) > 65_000 && 'M_TOO_LARGE',
  ),
  accepted: json(200, { event_id: '$unknown' }),
  accepts({ path }) {
    const event = events.get(path) ?? `$event-${events.size + 1}`
    events.set(path, event)
    return json(200, { event_id: event })
  },
  busy: json(
    429,
    { errcode: 'M_LIMIT_EXCEEDED', error: 'Too Many Requests', retry_after_ms: 900 },
    { 'retry-after': '1' },
  ),
  broken: json(500, { errcode: 'M_UNKNOWN', error: 'Internal server error' }),
  revoked: json(401, { errcode: 'M_UNKNOWN_TOKEN', error: 'Unrecognised access token' }),
}

export const signal: Form = {
  channel: 'SIGNAL',
  isAt: (path) => path === '/v2/send',
  account: ({ headers }) => headers['authorization'] ?? '',
  check: checker(
    object({
      message: text(2000),
      number: { type: 'string', pattern: '^\\+[0-9]{7,15}$' },
      recipients: list({ type: 'string', pattern: '^(\\+[0-9]{7,15}|group\\..+)$' }, 100),
    }),
  ),
  accepted: json(201, { timestamp: '1763000000000' }),
  busy: json(429, {
    error: 'Rate limit exceeded',
    challenge_tokens: ['c'],
    account: '+14155550100',
  }),
  // Also what it says if Signal cannot be reached.
  broken: json(400, { error: 'Failed to send message: connection closed' }),
  revoked: json(400, { error: 'User +14155550100 is not registered.' }),
}
