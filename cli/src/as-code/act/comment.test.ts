import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { findReview, writeComment } from './comment.ts'

type Comment = { id: number; body: string }

/** Comments as GitHub and GitLab serve them. */
async function startHost(t: { after(end: () => void): void }, token: [string, string]) {
  const comments: Comment[] = Array.from({ length: 120 }, (_, id) => ({ id, body: `Hello ${id}` }))
  const methods: string[] = []
  const server = createServer(async (incoming, outgoing) => {
    const [header, value] = token
    if (incoming.headers[header] !== value) return outgoing.writeHead(401).end('{}')
    const url = new URL(incoming.url ?? '', 'http://host')
    let text = ''
    for await (const chunk of incoming) text += String(chunk)
    const { method = '' } = incoming
    methods.push(`${method} ${url.pathname}`)
    const page = Number(url.searchParams.get('page') ?? 1)
    if (method === 'GET')
      return outgoing.end(JSON.stringify(comments.slice((page - 1) * 100, page * 100)))
    const { body } = JSON.parse(text) as Comment
    const id = Number(url.pathname.split('/').at(-1))
    const old = comments.find((each) => each.id === id)
    if (old === undefined) comments.push({ id: comments.length, body })
    else old.body = body
    return outgoing.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, comments, methods }
}

test('a pull request of GitHub: one comment for each source, updated in place', async (t) => {
  const host = await startHost(t, ['authorization', 'Bearer planted'])
  const env = {
    GITHUB_REF: 'refs/pull/12/merge',
    GITHUB_REPOSITORY: 'example/shop',
    GITHUB_API_URL: host.url,
    GITHUB_TOKEN: 'planted',
  }
  const review = findReview(env)
  assert.ok(review)
  await writeComment(review, 'shop', 'one')
  await writeComment(review, 'blog', 'other')
  await writeComment(review, 'shop', 'two')
  assert.deepEqual(
    host.comments.slice(120).map(({ body }) => body),
    ['<!-- upvane plan of shop -->\ntwo', '<!-- upvane plan of blog -->\nother'],
  )
  assert.equal(host.methods.at(-1), 'PATCH /repos/example/shop/issues/comments/120')
})

test('a merge request of GitLab', async (t) => {
  const host = await startHost(t, ['private-token', 'planted'])
  const env = {
    CI_API_V4_URL: host.url,
    CI_PROJECT_ID: '7',
    CI_MERGE_REQUEST_IID: '3',
    UPVANE_GITLAB_TOKEN: 'planted',
  }
  const review = findReview(env)
  assert.ok(review)
  await writeComment(review, 'shop', 'x'.repeat(70_000))
  await writeComment(review, 'shop', 'two')
  assert.equal(host.comments.length, 121)
  assert.equal(host.methods.at(-1), 'PUT /projects/7/merge_requests/3/notes/120')
})

test('findReview: nothing outside of a request, or without a token', () => {
  const github = { GITHUB_REF: 'refs/pull/12/merge', GITHUB_REPOSITORY: 'example/shop' }
  for (const env of [{}, github, { ...github, GITHUB_REF: 'refs/heads/main', GITHUB_TOKEN: 'x' }])
    assert.equal(findReview(env), undefined)
})

test('writeComment: a refusal does not repeat the token', async (t) => {
  const host = await startHost(t, ['authorization', 'Bearer right'])
  const review = findReview({
    GITHUB_REF: 'refs/pull/1/merge',
    GITHUB_REPOSITORY: 'a/b',
    GITHUB_API_URL: host.url,
    GITHUB_TOKEN: 'planted',
  })
  assert.ok(review)
  await assert.rejects(writeComment(review, 's', ''), (error: Error) => {
    assert.match(error.message, /answered 401/)
    return !error.message.includes('planted')
  })
})
