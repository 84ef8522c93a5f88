// Subscribers by Slack and webhook as members see them, and the notice of a post-mortem.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { toUuid } from '../kit/ids.ts'
import { seedSubscriber } from '../kit/seed.ts'
import type { StatusIncident, StatusPage } from '../kit/status-shapes.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { createTeam } from './screens.ts'

let fixture: AppFixture
before(async () => {
  fixture = await startAppFixture()
})
after(() => fixture.stop())

async function withPage() {
  const team = await createTeam(fixture)
  const base = `/organizations/${team.orgId}`
  const page = (await team.owner.post(`${base}/status-pages`, { name: 'Acme' })).json as StatusPage
  return { team, base, page }
}

test('listPageSubscribers: each with its kind; members see where a URL leads, and not the URL', async () => {
  const { team, base, page } = await withPage()
  const slack = 'https://hooks.slack.com/services/T0/B0/secretABCD'
  const webhook = 'https://hooks.example.com/in/secretEFGH'
  for (const fields of [{ slack }, { webhook }]) {
    const body = new URLSearchParams(fields)
    const sent = await fetch(`${page.url}/subscribe`, { method: 'POST', body })
    assert.equal(sent.status, 200, await sent.text())
  }
  const path = `${base}/overview/status-pages/${page.id}/subscribers?state=WAITING`
  const listed = await team.member.get(path)
  type Listed = { data: { id: string; kind: string; address: string }[] }
  const rows = (listed.json as Listed).data
  assert.deepEqual(
    rows.map(({ kind, address }) => [kind, address]),
    [
      ['WEBHOOK', 'https://hooks.example.com/…EFGH'],
      ['SLACK', 'https://hooks.slack.com/…ABCD'],
    ],
  )
  const found = await team.member.get(`${path}&address=${encodeURIComponent(slack)}`)
  assert.deepEqual(
    (found.json as Listed).data.map(({ kind }) => kind),
    ['SLACK'],
  )
  const stored = await fixture.db.run<{ email: Buffer; secret: Buffer | null; kind: string }>(
    'select email, secret, kind from page_subscribers where page_id = $1',
    [toUuid(page.id)],
  )
  assert.ok(stored.every(({ email }) => !email.toString('latin1').includes('secret')))
  assert.deepEqual(
    stored.map(({ kind, secret }) => (kind === 'WEBHOOK') === (secret !== null)),
    [true, true],
  )
  const removed = await team.member.delete(
    `${base}/status-pages/${page.id}/subscribers/${rows[0]?.id}`,
  )
  assert.equal(removed.status, 200, removed.text)
})

test('savePostMortem: subscribers are notified only if asked', async () => {
  const { team, base, page } = await withPage()
  await seedSubscriber(fixture.db, { orgId: team.orgId, pageId: page.id })
  const body = { title: 'Down', status: 'RESOLVED', statusPageIds: [page.id] }
  const made = await team.owner.post(`${base}/status-incidents`, body)
  const path = `${base}/status-incidents/${(made.json as StatusIncident).id}/post-mortem`
  const notices = () =>
    fixture.db.count('subscriber_notices', `page_id = $1 and notice->>'what' = 'POST_MORTEM'`, [
      toUuid(page.id),
    ])
  await team.member.post(path, { message: 'A disk was full.' })
  assert.equal(await notices(), 0)
  const saved = await team.member.post(path, { message: 'Two disks.', notifySubscribers: true })
  assert.equal(await notices(), 1)
  await team.member.post(path, { message: 'Two large disks.' })
  assert.equal(await notices(), 1)
  type Notes = { postMortem: { notifiedSubscribers: boolean } }
  assert.equal((saved.json as Notes).postMortem.notifiedSubscribers, true)
})
