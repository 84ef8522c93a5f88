// Writes a plan as a comment on a pull request of GitHub or a merge request of GitLab, one for each source.
import { CommandError, type Environment } from '../../command.ts'

/** Where the comments are, and how they are changed. */
type Review = {
  listUrl: string
  headers: Record<string, string>
  updateMethod: 'PATCH' | 'PUT'
  updateUrl(id: number): string
}

const PER_PAGE = 100
const MAX_PAGES = 20
const MAX_CHARACTERS = 60_000
const TIMEOUT_MS = 30_000
const PULL_REQUEST = /^refs\/pull\/(\d{1,10})\//

/** Undefined outside of a pull or merge request. */
export function findReview(env: Environment): Review | undefined {
  return findPullRequest(env) ?? findMergeRequest(env)
}

function findPullRequest(env: Environment): Review | undefined {
  const [, number] = PULL_REQUEST.exec(env['GITHUB_REF'] ?? '') ?? []
  const { GITHUB_REPOSITORY: repository, GITHUB_TOKEN: token } = env
  if (!number || !repository || !token) return undefined
  const issues = `${env['GITHUB_API_URL'] ?? 'https://api.github.com'}/repos/${repository}/issues`
  return {
    listUrl: `${issues}/${number}/comments`,
    headers: { Authorization: `Bearer ${token}`, Accept: 'application/vnd.github+json' },
    updateMethod: 'PATCH',
    updateUrl: (id) => `${issues}/comments/${id}`,
  }
}

function findMergeRequest(env: Environment): Review | undefined {
  const { CI_API_V4_URL: api, CI_PROJECT_ID: project, CI_MERGE_REQUEST_IID: number } = env
  const token = env['UPVANE_GITLAB_TOKEN']
  if (!api || !project || !number || !token) return undefined
  const notes = `${api}/projects/${encodeURIComponent(project)}/merge_requests/${number}/notes`
  return {
    listUrl: notes,
    headers: { 'PRIVATE-TOKEN': token },
    updateMethod: 'PUT',
    updateUrl: (id) => `${notes}/${id}`,
  }
}

export async function writeComment(review: Review, source: string, text: string): Promise<void> {
  const mark = `<!-- upvane plan of ${source} -->`
  const body = JSON.stringify({ body: `${mark}\n${shorten(text)}` })
  const old = await findComment(review, mark)
  if (old === undefined) await send(review, 'POST', review.listUrl, body)
  else await send(review, review.updateMethod, review.updateUrl(old), body)
}

function shorten(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text
  return `${text.slice(0, MAX_CHARACTERS)}\n\`\`\`\n\nThe rest is in the job's output.`
}

type Comment = { id: number; body: string }

async function findComment(review: Review, mark: string): Promise<number | undefined> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const url = `${review.listUrl}?per_page=${PER_PAGE}&page=${page}`
    const comments = (await send(review, 'GET', url)) as Comment[]
    const found = comments.find(({ body }) => body.startsWith(mark))
    if (found !== undefined) return found.id
    if (comments.length < PER_PAGE) return undefined
  }
  return undefined
}

async function send(review: Review, method: string, url: string, body?: string): Promise<unknown> {
  const headers = { ...review.headers, 'Content-Type': 'application/json' }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const init = { method, headers, signal, ...(body !== undefined && { body }) }
  const response = await fetch(url, init).catch((error: unknown) => {
    throw new CommandError(1, `the comment could not be written: ${String(error)}`)
  })
  if (response.ok) return response.json()
  throw new CommandError(
    1,
    `the comment could not be written: ${method} answered ${response.status}.`,
  )
}
