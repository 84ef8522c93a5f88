// Services that keep something open until it is closed, as documented in November 2026.
import {
  checker,
  checkerOf,
  type Form,
  hasHeader,
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

const JIRA = '/jsm/ops/integration/v2/alerts'
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
)
const closeAlert = checker(
  object({ source: text(100), note: text(25_000) }),
  ({ path }) =>
    !/^[^?]*\/alerts\/[^/]+\/close\?identifierType=alias$/.test(path) && `asked at ${path}`,
)

export const jira: Form = {
  channel: 'JIRA_SERVICE_MANAGEMENT',
  isAt: (path) => path.startsWith(JIRA),
  account: ({ headers }) => headers['authorization'] ?? '',
  check: (heard) => [
    ...(heard.path === JIRA ? createAlert : closeAlert)(heard),
    ...(/^GenieKey \S+$/.test(heard.headers['authorization'] ?? '') ? [] : ['no GenieKey']),
  ],
  accepted: json(202, { result: 'Request will be processed', took: 0.1, requestId: 'r' }),
  busy: json(
    429,
    { message: 'You are making too many requests!', took: 0, requestId: 'r' },
    { 'retry-after': '1' },
  ),
  broken: json(503, { message: 'Service unavailable', took: 0, requestId: 'r' }),
  revoked: json(401, { message: 'Could not authenticate', took: 0, requestId: 'r' }),
}

export const incidentIo: Form = {
  channel: 'INCIDENT_IO',
  isAt: (path) => path.startsWith('/v2/alert_events/http/'),
  account: ({ headers }) => headers['authorization'] ?? '',
  check: checker(
    object({
      title: text(1000),
      description: text(20_000),
      status: one('firing', 'resolved'),
      deduplication_key: text(512),
      source_url: url(),
      metadata: object({ organization: text(512), severity: text(20), facts: words }),
    }),
    hasHeader('authorization', /^Bearer \S+$/),
    ({ path }) => !/^\/v2\/alert_events\/http\/[A-Za-z0-9]+$/.test(path) && `asked at ${path}`,
  ),
  accepted: json(202, { deduplication_key: 'k', message: 'Event accepted', status: 'success' }),
  busy: json(
    429,
    { type: 'too_many_requests', status: 429, errors: [{ message: 'Rate limit exceeded' }] },
    { 'retry-after': '1' },
  ),
  broken: json(500, { type: 'internal_error', status: 500, errors: [{ message: 'Try later' }] }),
  revoked: json(401, {
    type: 'authentication_error',
    status: 401,
    request_id: 'r',
    errors: [{ code: 'unauthenticated', message: 'We could not authenticate the request' }],
  }),
}

const labels = object({ alertname: text(100), organization: text(512), key: text(512) })
const annotations = object({ summary: text(1000), description: text(20_000), severity: text(20) })

export const alertmanager: Form = {
  channel: 'ALERTMANAGER',
  isAt: (path) => path.startsWith('/alertmanager/'),
  account: ({ path }) => path,
  check: checker(
    object({
      version: one('4'),
      groupKey: text(1000),
      truncatedAlerts: one(0),
      status: one('firing', 'resolved'),
      receiver: text(100),
      groupLabels: object({ key: text(512) }),
      commonLabels: labels,
      commonAnnotations: annotations,
      externalURL: url(),
      alerts: list(
        object({
          status: one('firing', 'resolved'),
          labels,
          annotations,
          startsAt: time,
          endsAt: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z$' },
          generatorURL: url(),
          fingerprint: { type: 'string', pattern: '^[0-9A-Za-z]{1,200}$' },
        }),
        100,
      ),
    }),
    ({ body }) => {
      const [first] = body['alerts'] as { status: string; endsAt: string }[]
      const isEnded = first !== undefined && !first.endsAt.startsWith('0001-')
      return isEnded !== (body['status'] === 'resolved') && 'an end that does not fit'
    },
  ),
  accepted: { status: 200, body: '' },
  busy: { status: 429, body: 'too many requests', headers: { 'retry-after': '1' } },
  broken: { status: 502, body: 'Bad Gateway' },
  revoked: { status: 410, body: 'This receiver was deleted' },
}

/** A tracker remembers its issues: what is unknown cannot be changed. */
function tracker(first: number) {
  const issues = new Map<number, 'open' | 'closed'>()
  return {
    open(): number {
      const number = first + issues.size
      issues.set(number, 'open')
      return number
    },
    isKnown: (number: number) => issues.has(number),
    close: (number: number) => issues.set(number, 'closed'),
    stateOf: (number: number) => issues.get(number),
  }
}
const numberIn = ({ path }: ReceivedRequest) => Number(/\/issues\/(\d+)/.exec(path)?.[1] ?? 0)

const github = tracker(41)
const githubHeaders = [
  hasHeader('authorization', /^Bearer \S+$/),
  hasHeader('accept', /^application\/vnd\.github\+json$/),
  hasHeader('x-github-api-version', /^\d{4}-\d\d-\d\d$/),
]
const openOnGithub = checker(
  object({ title: text(256), body: text(65_536), labels: list(text(50), 100) }),
  ...githubHeaders,
)
const closeOnGithub = checkerOf(
  { method: 'PATCH' },
  object({ state: one('closed'), state_reason: one('completed', 'not_planned') }),
  ...githubHeaders,
)
const commentOnGithub = checker(object({ body: text(65_536) }), ...githubHeaders)

export const githubIssues: Form = {
  channel: 'GITHUB_ISSUES',
  isAt: (path) => /^\/repos\/[^/]+\/[^/]+\/issues/.test(path),
  account: ({ headers }) => headers['authorization'] ?? '',
  check(heard) {
    if (heard.path.endsWith('/issues')) return openOnGithub(heard)
    return (heard.path.endsWith('/comments') ? commentOnGithub : closeOnGithub)(heard)
  },
  accepted: json(201, {}),
  accepts(heard) {
    const number = numberIn(heard)
    if (number === 0) return json(201, { id: 1, number: github.open(), state: 'open', body: 'b' })
    if (!github.isKnown(number)) return json(404, { message: 'Not Found' })
    if (heard.method === 'PATCH') github.close(number)
    return heard.method === 'PATCH'
      ? json(200, { id: 1, number, state: github.stateOf(number) })
      : json(201, { id: 2, body: 'b' })
  },
  busy: json(
    403,
    { message: 'You have exceeded a secondary rate limit. Please wait a few minutes.' },
    { 'retry-after': '1' },
  ),
  broken: json(502, { message: 'Server Error' }),
  revoked: json(401, { message: 'Bad credentials', documentation_url: 'https://docs.github.com' }),
}

const gitlab = tracker(7)
const gitlabHeaders = hasHeader('private-token', /^\S+$/)
const openOnGitlab = checker(
  object({ title: text(255), description: text(1_048_576), labels: text(255) }),
  gitlabHeaders,
)
const closeOnGitlab = checkerOf(
  { method: 'PUT' },
  object({ state_event: one('close', 'reopen') }),
  gitlabHeaders,
)
const commentOnGitlab = checker(object({ body: text(1_000_000) }), gitlabHeaders)

export const gitlabIssues: Form = {
  channel: 'GITLAB_ISSUES',
  isAt: (path) => /^\/api\/v4\/projects\/[^/]+\/issues/.test(path),
  account: ({ headers }) => headers['private-token'] ?? '',
  check(heard) {
    if (heard.path.endsWith('/issues')) return openOnGitlab(heard)
    return (heard.path.endsWith('/notes') ? commentOnGitlab : closeOnGitlab)(heard)
  },
  accepted: json(201, {}),
  accepts(heard) {
    const iid = numberIn(heard)
    if (iid === 0) return json(201, { id: 900, iid: gitlab.open(), state: 'opened' })
    if (!gitlab.isKnown(iid)) return json(404, { message: '404 Issue Not Found' })
    if (heard.method === 'PUT') gitlab.close(iid)
    return heard.method === 'PUT'
      ? json(200, { id: 900, iid, state: gitlab.stateOf(iid) })
      : json(201, { id: 3, body: 'b' })
  },
  busy: {
    status: 429,
    body: 'Retry later',
    headers: { 'retry-after': '1', 'content-type': 'text/plain' },
  },
  broken: json(500, { message: '500 Internal Server Error' }),
  revoked: json(401, { message: '401 Unauthorized' }),
}
