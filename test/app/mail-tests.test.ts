// A mail to oneself from the settings: taken, refused by a real relay in its own words, and without any relay.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findFreePort } from '../../tools/services/ports.ts'
import { Visitor } from '../kit/app-client.ts'
import { type SmtpSink, startSmtpSink, type Verdict } from '../kit/smtp-sink.ts'
import { type AppBench, startAppBench } from './bench.ts'

const FROM = 'people@upvane.example'
const REFUSAL = '5.1.1 Nobody of that name lives here'
const MAX_TESTS = 10

type Outcome = { to: string; delivered: boolean; answer: string | null; error: string | null }

let bench: AppBench
let sink: SmtpSink
let path: string
let verdict: Verdict = 'TAKE'

before(async () => {
  const port = await findFreePort()
  bench = await startAppBench({ SMTP_URL: `smtp://127.0.0.1:${port}?tls=off`, SMTP_FROM: FROM })
  sink = await startSmtpSink({ port, judge: () => verdict })
  path = `/organizations/${bench.orgId}/mail-tests`
})
after(async () => {
  await sink.close()
  await bench.stop()
})

test('testMail: it goes to whoever asks, without a dispatcher, and is in the audit log', async () => {
  const { person, visitor } = await bench.join(bench.orgId, 'ADMIN')
  const answer = await visitor.post(path, {})
  const { to, delivered, answer: said, error } = answer.json as Outcome
  assert.deepEqual([to, delivered, error], [person.email, true, null], answer.text)
  assert.match(said ?? '', /^250 /)
  const [mail, ...more] = sink.to(person.email)
  assert.equal(more.length, 0)
  assert.equal(mail?.from, FROM)
  assert.equal(mail?.headers['subject'], 'Test mail of Demo')
  assert.match(mail?.text ?? '', /Mail arrives.*settings of Demo/s)
  const { data } = (await visitor.get(`/organizations/${bench.orgId}/audit-log`)).json as {
    data: { action: string; actor: { id: string } }[]
  }
  assert.deepEqual([data[0]?.action, data[0]?.actor.id], ['testMail', person.id])
})

test('testMail: what the relay refuses is told in its own words, without the address', async () => {
  const { person, visitor } = await bench.join(bench.orgId, 'OWNER')
  verdict = { code: 550, words: `${REFUSAL} <${person.email}>` }
  const refused = (await visitor.post(path, {})).json as Outcome
  verdict = 'TAKE'
  assert.equal(refused.delivered, false)
  assert.equal(refused.error, 'Answered with SMTP 550 to RCPT TO')
  assert.equal(refused.answer, `550 ${REFUSAL} <…>`)
  assert.deepEqual(sink.to(person.email), [])
})

test('testMail: only so many in a quarter of an hour', async () => {
  const { id } = await bench.createOrganization()
  const { visitor } = await bench.join(id, 'ADMIN')
  const statuses: number[] = []
  for (let i = 0; i < MAX_TESTS + 1; i++)
    statuses.push((await visitor.post(`/organizations/${id}/mail-tests`, {})).status)
  assert.deepEqual(statuses, [...Array<number>(MAX_TESTS).fill(200), 429])
})

test('testMail 409: without a relay it says how to configure one', async () => {
  const { person, visitor } = await bench.join(bench.orgId, 'ADMIN')
  const plain = await bench.stack.start('api', { env: { SMTP_URL: '', SMTP_FROM: '' } })
  const { cookies } = visitor
  const elsewhere = new Visitor({ baseUrl: plain.baseUrl, address: '10.9.9.9' })
  for (const [name, value] of cookies) elsewhere.cookies.set(name, value)
  const answer = await elsewhere.post(path, {})
  assert.deepEqual([answer.status, answer.error.code], [409, 'conflict'])
  assert.match(answer.error.message, /SMTP_URL and SMTP_FROM/)
  assert.deepEqual(sink.to(person.email), [])
})
