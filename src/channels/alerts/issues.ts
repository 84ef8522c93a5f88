// Issues on GitHub and GitLab: an outage opens one, reminders comment on it, and the recovery closes it.
import {
  type Alert,
  alertText,
  closes,
  headline,
  opens,
  truncate,
} from '../../domain/alerts/alert.ts'
import type { Posted } from '../../outbound/webhook-client.ts'
import {
  type AlertChannel,
  type AlertRequest,
  baseOf,
  bearer,
  JSON_HEADERS,
  judgeByStatus,
  parseJson,
  type ResponseJudgement,
} from './alert-channel.ts'

const LABEL = 'upvane'
const MAX_TITLE = 250

export const githubIssues: AlertChannel<'GITHUB_ISSUES'> = {
  request(alert, { repository, token }, origins, { reference = null }) {
    const issues = `${origins.GITHUB_ISSUES}/repos/${repository}/issues`
    const headers = githubHeaders(token)
    const step = stepOf(alert, reference)
    if (step === 'OPEN') {
      const issue = { title: titleOf(alert), body: textOf(alert), labels: [LABEL] }
      return { url: issues, headers, body: JSON.stringify(issue) }
    }
    if (step === 'COMMENT') return comment(`${issues}/${reference}/comments`, headers, alert)
    const closed = { state: 'closed', state_reason: 'completed' }
    const url = `${issues}/${reference}`
    return { method: 'PATCH', url, headers, body: JSON.stringify(closed) }
  },
  judge: judgeGithub,
  // After the issue is closed: closing it once more changes nothing, but a comment would be there twice.
  followUp(alert, { repository, token }, origins, { reference = null }) {
    if (stepOf(alert, reference) !== 'CLOSE') return undefined
    const url = `${origins.GITHUB_ISSUES}/repos/${repository}/issues/${reference}/comments`
    return comment(url, githubHeaders(token), alert)
  },
  referenceIn: ({ body }) => numberIn(parseJson(body)['number'], body),
}

export const gitlabIssues: AlertChannel<'GITLAB_ISSUES'> = {
  request(alert, { server, project, token }, _origins, { reference = null }) {
    const issues = `${baseOf(server)}/api/v4/projects/${encodeURIComponent(project)}/issues`
    const headers = { ...JSON_HEADERS, 'private-token': token }
    const step = stepOf(alert, reference)
    if (step === 'OPEN') {
      const issue = { title: titleOf(alert), description: textOf(alert), labels: LABEL }
      return { url: issues, headers, body: JSON.stringify(issue) }
    }
    if (step === 'COMMENT') return comment(`${issues}/${reference}/notes`, headers, alert)
    const closed = { state_event: 'close' }
    const url = `${issues}/${reference}`
    return { method: 'PUT', url, headers, body: JSON.stringify(closed) }
  },
  judge: judgeByStatus,
  followUp(alert, { server, project, token }, _origins, { reference = null }) {
    if (stepOf(alert, reference) !== 'CLOSE') return undefined
    const issues = `${baseOf(server)}/api/v4/projects/${encodeURIComponent(project)}/issues`
    const headers = { ...JSON_HEADERS, 'private-token': token }
    return comment(`${issues}/${reference}/notes`, headers, alert)
  },
  referenceIn: ({ body }) => numberIn(parseJson(body)['iid'], body),
}

/** A recovery whose outage has no issue opens one of its own: someone should read it. */
function stepOf(alert: Alert, reference: string | null): 'OPEN' | 'COMMENT' | 'CLOSE' {
  if (reference === null || !(opens(alert) || closes(alert))) return 'OPEN'
  return closes(alert) ? 'CLOSE' : 'COMMENT'
}

/**
 * Too many writes in a short time are a 403 that says how long to wait. A 410 is an issue that someone deleted: the next
 * outage opens another.
 */
function judgeGithub(posted: Posted): ResponseJudgement {
  const judged = judgeByStatus(posted)
  if (judged.verdict === 'GONE') return { ...judged, verdict: 'OVER' }
  const isBusy = posted.status === 403 && posted.retryAfter !== undefined
  return isBusy ? { ...judged, verdict: 'RETRY' } : judged
}

const githubHeaders = (token: string) => ({
  ...JSON_HEADERS,
  ...bearer(token),
  accept: 'application/vnd.github+json',
  'x-github-api-version': '2022-11-28',
})

function comment(
  url: string,
  headers: Readonly<Record<string, string>>,
  alert: Alert,
): AlertRequest {
  const body = `**${plain(headline(alert))}**\n\n${textOf(alert)}`
  return { url, headers, body: JSON.stringify({ body }) }
}

const titleOf = (alert: Alert): string => truncate(headline(alert), MAX_TITLE)

function textOf(alert: Alert): string {
  const lines = alertText(alert)
    .split('\n')
    .map((line) => plain(line))
  return `${lines.join('  \n')}\n\n[Open in Upvane](${alert.links.open})`
}

/** Neither Markdown nor mentions, nor references to other issues. */
const plain = (text: string): string =>
  text
    .replaceAll(/[\\`*_~|<>[\]()!&]/g, '\\$&')
    .replaceAll('@', '@\u200b')
    .replaceAll('#', '#\u200b')

// An issue may be longer than what is kept of a response.
const NUMBER = /"(?:number|iid)": ?(\d{1,15})/

function numberIn(value: unknown, body: Buffer): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined
  return NUMBER.exec(body.toString('utf8'))?.[1]
}
