// Email in the dashboard: a test to oneself, accepted or refused by a real relay or without any, and the email
// subscribers of a page.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findFreePort } from '../../tools/services/ports.ts'
import { toUuid } from '../kit/ids.ts'
import { Visitor } from '../kit/private-client.ts'
import { type SmtpSink, startSmtpSink, type Verdict } from '../kit/smtp-sink.ts'
import type { StatusPage } from '../kit/status-shapes.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { createTeam } from './screens.ts'

const FROM = 'people@upvane.example'
const REFUSAL = '5.1.1 Nobody of that name lives here'
const MAX_TESTS = 10

type Outcome = { to: string; delivered: boolean; answer: string | null; error: string | null }

let fixture: AppFixture
let sink: SmtpSink
let path: string
let verdict: Verdict = 'TAKE'

before(async () => {
  const port = await findFreePort()
  fixture = await startAppFixture({ SMTP_URL: `smtp://127.0.0.1:${port}?tls=off`, SMTP_FROM: FROM })
  sink = await startSmtpSink({ port, judge: () => verdict })
  path = `/organizations/${fixture.orgId}/mail-tests`
})
after(async () => {
  await sink.close()
  await fixture.stop()
})

test('testEmail: it goes to the caller, without a dispatcher, and is in the audit log', async () => {
  const { person, visitor } = await fixture.join(fixture.orgId, 'ADMIN')
  const answer = await visitor.post(path, {})
  const { to, delivered, answer: said, error } = answer.json as Outcome
  assert.deepEqual([to, delivered, error], [person.email, true, null], answer.text)
  assert.match(said ?? '', /^250 /)
  const [mail, ...more] = sink.to(person.email)
  assert.equal(more.length, 0)
  assert.equal(mail?.from, FROM)
  assert.equal(mail?.headers['subject'], 'Test email from Upvane')
  assert.match(mail?.text ?? '', /Email works.*settings of Demo/s)
  const { data } = (await visitor.get(`/organizations/${fixture.orgId}/audit-log`)).json as {
    data: { action: string; actor: { id: string } }[]
  }
  assert.deepEqual([data[0]?.action, data[0]?.actor.id], ['testEmail', person.id])
})

test('testEmail: what the relay refuses is shown in its own words, without the address', async () => {
  const { person, visitor } = await fixture.join(fixture.orgId, 'OWNER')
  verdict = { code: 550, words: `${REFUSAL} <${person.email}>` }
  const refused = (await visitor.post(path, {})).json as Outcome
  verdict = 'TAKE'
  assert.equal(refused.delivered, false)
  assert.equal(refused.error, 'Answered with SMTP 550 to RCPT TO')
  assert.equal(refused.answer, `550 ${REFUSAL} <…>`)
  assert.deepEqual(sink.to(person.email), [])
})

test('testEmail: only so many in a quarter of an hour', async () => {
  const { id } = await fixture.createOrganization()
  const { visitor } = await fixture.join(id, 'ADMIN')
  const statuses: number[] = []
  for (let i = 0; i < MAX_TESTS + 1; i++)
    statuses.push((await visitor.post(`/organizations/${id}/mail-tests`, {})).status)
  assert.deepEqual(statuses, [...Array<number>(MAX_TESTS).fill(200), 429])
})

test('testEmail 409: without a relay it says how to configure one', async () => {
  const { person, visitor } = await fixture.join(fixture.orgId, 'ADMIN')
  const plain = await fixture.stack.start('api', { env: { SMTP_URL: '', SMTP_FROM: '' } })
  const { cookies } = visitor
  const elsewhere = new Visitor({ baseUrl: plain.baseUrl, address: '10.9.9.9' })
  for (const [name, value] of cookies) elsewhere.cookies.set(name, value)
  const answer = await elsewhere.post(path, {})
  assert.deepEqual([answer.status, answer.error.code], [409, 'conflict'])
  assert.match(answer.error.message, /SMTP_URL and SMTP_FROM/)
  assert.deepEqual(sink.to(person.email), [])
})

type Subscribers = {
  data: { id: string; address: string; components: number | null; confirmedAt: string | null }[]
  pagination: { total: number }
}

test('subscribers of a page: seen with their addresses, found by a whole one, and taken off for good', async () => {
  const team = await createTeam(fixture)
  const base = `/organizations/${team.orgId}`
  const sections = [{ components: [{ name: 'Shop' }] }]
  const made = await team.owner.post(`${base}/status-pages`, { name: 'Acme', sections })
  const page = made.json as StatusPage
  const own = `${base}/overview/status-pages/${page.id}`
  const people = ['ana@example.com', 'ben@example.com', 'eve@example.com']
  for (const email of people) {
    const body = new URLSearchParams({ email })
    assert.equal((await fetch(`${page.url}/subscribe`, { method: 'POST', body })).status, 200)
  }
  await fixture.db.run(
    `update page_subscribers set confirmed_at = now()
      where id in (select id from page_subscribers where page_id = $1 order by id limit 2)`,
    [toUuid(page.id)],
  )
  const read = async (query = '') =>
    (await team.member.get(`${own}/subscribers?${query}`)).json as Subscribers
  const addresses = async (query?: string) => (await read(query)).data.map(({ address }) => address)
  assert.deepEqual(await addresses(), ['ben@example.com', 'ana@example.com'])
  assert.deepEqual(await addresses('state=WAITING'), ['eve@example.com'])
  assert.deepEqual(await addresses('limit=1&offset=1'), ['ana@example.com'])
  assert.deepEqual(await addresses('address=ANA@example.com'), ['ana@example.com'])
  assert.deepEqual(await addresses('address=an'), [])
  assert.equal((await read('offset=9')).pagination.total, 2)
  const screen = (await team.reader.get(own)).json as { subscribers: number; waiting: number }
  assert.deepEqual([screen.subscribers, screen.waiting], [2, 1])

  const [ben] = (await read()).data
  const path = `${base}/status-pages/${page.id}/subscribers/${ben?.id}`
  assert.equal((await team.reader.delete(path)).status, 403)
  assert.equal((await team.reader.get(`${own}/subscribers`)).status, 403)
  const other = await createTeam(fixture)
  const foreign = path.replace(team.orgId, other.orgId)
  assert.equal((await other.owner.delete(foreign)).status, 404)
  assert.equal(
    (await other.owner.get(`/organizations/${other.orgId}${own.slice(base.length)}/subscribers`))
      .status,
    404,
  )
  assert.equal((await team.member.delete(path)).status, 200)
  assert.equal((await team.member.delete(path)).status, 404)
  assert.deepEqual(await addresses(), ['ana@example.com'])
})
