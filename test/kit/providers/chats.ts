// Chat providers, as documented in November 2026.
import {
  atMostBytes,
  checker,
  type Form,
  json,
  list,
  object,
  one,
  type Rule,
  text,
  time,
  url,
} from './form.ts'

const mrkdwn = (most: number) => object({ type: one('mrkdwn'), text: text(most) })

export const slack: Form = {
  channel: 'SLACK',
  isAt: (path) => path.startsWith('/services/'),
  account: ({ path }) => path,
  check: checker(
    object({
      text: text(40_000),
      attachments: list(
        object({
          color: { type: 'string', pattern: '^#[0-9a-f]{6}$' },
          blocks: list(
            {
              oneOf: [
                object({ type: one('section'), text: mrkdwn(3000) }),
                object({ type: one('section'), fields: list(mrkdwn(2000), 10) }),
                object({
                  type: one('actions'),
                  elements: list(
                    object({
                      type: one('button'),
                      text: object({ type: one('plain_text'), text: text(75) }),
                      url: url(3000),
                    }),
                    25,
                  ),
                }),
                object({ type: one('context'), elements: list(mrkdwn(3000), 10) }),
              ],
            },
            50,
          ),
        }),
        100,
      ),
    }),
    ({ raw }) => /<!|<@/.test(raw) && 'mentions somebody',
  ),
  accepted: { status: 200, body: 'ok' },
  busy: json(429, { ok: false, error: 'rate_limited' }, { 'retry-after': '1' }),
  broken: { status: 500, body: 'rollup_error' },
  revoked: { status: 403, body: 'invalid_token' },
}

const EMBED_CHARACTERS = 6000
const isSmallEmbed: Rule = ({ body }) => {
  const [embed] = body['embeds'] as Record<string, unknown>[]
  const { title, description, footer, fields } = embed as {
    title: string
    description: string
    footer: { text: string }
    fields: { name: string; value: string }[]
  }
  const all = [
    title,
    description,
    footer.text,
    ...fields.flatMap(({ name, value }) => name + value),
  ]
  return all.join('').length > EMBED_CHARACTERS && 'more than 6,000 characters in an embed'
}

export const discord: Form = {
  channel: 'DISCORD',
  isAt: (path) => path.startsWith('/api/webhooks/'),
  account: ({ path }) => path,
  check: checker(
    object({
      embeds: list(
        object({
          title: text(256),
          url: url(),
          description: text(4096),
          color: { type: 'integer', minimum: 0, maximum: 0xff_ff_ff },
          timestamp: time,
          fields: {
            type: 'array',
            maxItems: 25,
            items: object({ name: text(256), value: text(1024), inline: { type: 'boolean' } }),
          },
          footer: object({ text: text(2048) }),
        }),
        10,
      ),
      allowed_mentions: object({ parse: { type: 'array', maxItems: 0 } }),
    }),
    isSmallEmbed,
  ),
  accepted: { status: 204 },
  busy: json(
    429,
    { message: 'You are being rate limited.', retry_after: 0.4, global: false },
    { 'retry-after': '1' },
  ),
  broken: json(500, { message: '500: Internal Server Error', code: 0 }),
  revoked: json(404, { message: 'Unknown Webhook', code: 10_015 }),
}

const textBlock = object({
  type: one('TextBlock'),
  text: text(10_000),
  wrap: { type: 'boolean' },
  'size?': one('Small', 'Default', 'Medium', 'Large', 'ExtraLarge'),
  'weight?': one('Lighter', 'Default', 'Bolder'),
  'color?': one('Default', 'Dark', 'Light', 'Accent', 'Good', 'Warning', 'Attention'),
  'isSubtle?': { type: 'boolean' },
})

export const teams: Form = {
  channel: 'TEAMS',
  isAt: (path) => path.startsWith('/workflows/'),
  account: ({ path }) => path,
  check: checker(
    object({
      type: one('message'),
      attachments: list(
        object({
          contentType: one('application/vnd.microsoft.card.adaptive'),
          contentUrl: { type: 'null' },
          content: object({
            $schema: one('http://adaptivecards.io/schemas/adaptive-card.json'),
            type: one('AdaptiveCard'),
            version: one('1.2', '1.3', '1.4', '1.5'),
            body: list(
              {
                oneOf: [
                  textBlock,
                  object({
                    type: one('FactSet'),
                    facts: list(object({ title: text(1000), value: text(4000) }), 100),
                  }),
                ],
              },
              100,
            ),
            actions: list(object({ type: one('Action.OpenUrl'), title: text(100), url: url() }), 6),
          }),
        }),
        1,
      ),
    }),
    atMostBytes(28 * 1024),
    ({ raw }) => /\]\(/.test(raw) && 'a link that only looks like its text',
  ),
  accepted: { status: 202 },
  busy: json(
    429,
    { statusCode: 429, message: 'Rate limit is exceeded. Try again in 1 seconds.' },
    { 'retry-after': '1' },
  ),
  broken: json(502, { error: { code: 'NoResponse', message: 'The server did not respond.' } }),
  // The URL of a deleted or disabled webhook still responds.
  revoked: json(400, {
    error: {
      code: 'WorkflowTriggerIsNotEnabled',
      message:
        "Could not execute workflow 'w' trigger 'manual' with state 'Deleted': trigger is not enabled.",
    },
  }),
  refused: ([first]) =>
    json(400, {
      error: {
        code: 'TriggerInputSchemaMismatch',
        message: `The input body for trigger 'manual' of type 'Request' did not match its schema definition. Error details: '${first}'.`,
      },
    }),
}

const card = object({
  header: object({ title: text(1000), subtitle: text(1000) }),
  sections: list(
    object({
      widgets: list(
        {
          oneOf: [
            object({ textParagraph: object({ text: text(4000) }) }),
            object({
              decoratedText: object({
                topLabel: text(1000),
                text: text(4000),
                wrapText: { type: 'boolean' },
              }),
            }),
            object({
              buttonList: object({
                buttons: list(
                  object({
                    text: text(100),
                    onClick: object({ openLink: object({ url: url() }) }),
                  }),
                  6,
                ),
              }),
            }),
          ],
        },
        100,
      ),
    }),
    100,
  ),
})

export const googleChat: Form = {
  channel: 'GOOGLE_CHAT',
  isAt: (path) => path.startsWith('/v1/spaces/'),
  account: ({ path }) => path,
  check: checker(
    object({
      text: text(4096),
      cardsV2: list(object({ cardId: text(1000), card }), 100),
      thread: object({ threadKey: text(4000) }),
    }),
    atMostBytes(32_000),
    ({ path }) => {
      const { pathname, searchParams: query } = new URL(path, 'http://x')
      const isPath = /^\/v1\/spaces\/[^/]+\/messages$/.test(pathname)
      const isQuery = query.has('key') && query.has('token')
      const isThreaded = query.get('messageReplyOption') === 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD'
      return !(isPath && isQuery && isThreaded) && `asked at ${path}`
    },
    ({ body }) => /<users\//.test(String(body['text'])) && 'mentions somebody',
  ),
  accepted: json(200, { name: 'spaces/A/messages/B.C', thread: { name: 'spaces/A/threads/B' } }),
  busy: json(429, {
    error: { code: 429, message: 'Resource has been exhausted', status: 'RESOURCE_EXHAUSTED' },
  }),
  broken: json(503, { error: { code: 503, message: 'Try again', status: 'UNAVAILABLE' } }),
  revoked: json(404, { error: { code: 404, message: 'Not found', status: 'NOT_FOUND' } }),
}

const TAGS = /<(\/?)(b|i|u|s|code|pre)>/g
/** Telegram's HTML: its own tags, closed in order, and everything else escaped. */
const isTelegramHtml: Rule = ({ body }) => {
  const open: string[] = []
  const rest = String(body['text']).replaceAll(TAGS, (_whole, end: string, name: string) => {
    if (end === '') open.push(name)
    else if (open.pop() !== name) open.push('never')
    return ''
  })
  if (open.length > 0) return "can't parse entities"
  return /[<>]|&(?!(?:lt|gt|amp|quot);)/.test(rest) && "can't parse entities"
}

export const telegram: Form = {
  channel: 'TELEGRAM',
  isAt: (path) => path.startsWith('/bot'),
  account: ({ path }) => path,
  check: checker(
    object({
      chat_id: text(64),
      text: text(4096),
      parse_mode: one('HTML'),
      link_preview_options: object({ is_disabled: { type: 'boolean' } }),
      reply_markup: object({
        inline_keyboard: list(list(object({ text: text(64), url: url() }), 8), 100),
      }),
    }),
    isTelegramHtml,
    ({ path }) => !/^\/bot\d+:[\w-]+\/sendMessage$/.test(path) && `asked at ${path}`,
  ),
  accepted: json(200, { ok: true, result: { message_id: 1 } }),
  // The message as it was posted.
  accepts: ({ body: { text: posted, reply_markup } }) =>
    json(200, { ok: true, result: { message_id: 1, text: posted, reply_markup } }),
  busy: json(429, {
    ok: false,
    error_code: 429,
    description: 'Too Many Requests: retry after 1',
    parameters: { retry_after: 1 },
  }),
  broken: json(502, { ok: false, error_code: 502, description: 'Bad Gateway' }),
  revoked: json(401, { ok: false, error_code: 401, description: 'Unauthorized' }),
}
