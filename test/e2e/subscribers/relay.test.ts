// A relay that is unreachable, slow or selective: emails wait for it, and no recipient waits for another's.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readMetric } from '../../kit/read-metrics.ts'
import { startSmtpSink } from '../../kit/smtp-sink.ts'
import { press, startSubscriberFixture, until } from './fixture.ts'

const silent = new Set<string>()
const fixture = await startSubscriberFixture({
  sink: { judge: (to) => (silent.has(to) ? 'SILENCE' : 'TAKE') },
})
const { sink, db, emailTo } = fixture
after(() => fixture.stop())

const PROMPT_MS = 10_000

test('one recipient the relay hangs on holds up nobody else', async () => {
  const page = await fixture.createPage()
  const addresses = Array.from({ length: 12 }, (_, i) => `reader-${i}@example.com`)
  for (const address of addresses) await fixture.join(page, address)
  silent.add('reader-0@example.com')
  const startMs = performance.now()
  await fixture.publish(page)
  for (const address of addresses.slice(1)) await emailTo(address, 2)
  assert.ok(performance.now() - startMs < PROMPT_MS)
  await until('the attempt to time out', async () => {
    return (await db.count('attempts', `error_code = 'TIMEOUT'`, [])) > 0
  })
  silent.clear()
  await emailTo('reader-0@example.com', 2)
})

test('mails wait while the relay is away; who unsubscribes meanwhile gets none', async (t) => {
  const page = await fixture.createPage()
  await fixture.join(page, 'stays@example.com')
  const token = await fixture.join(page, 'leaves@example.com')
  await sink.close()
  const published = fixture.publish(page)
  await until('an attempt that found no relay', async () => {
    return (await db.count('attempts', `error_code = 'CONNECTION_FAILED'`, [])) > 0
  })
  const failures = { kind: 'notification' }
  await until('the failure to be counted', async () => {
    return (
      (await readMetric(fixture.dispatcher, 'upvane_mail_failures_total', failures)) !== undefined
    )
  })
  await published
  assert.equal((await press(`${page.url}/unsubscribe/${token}`)).status, 200)

  const back = await startSmtpSink({ port: sink.port })
  t.after(() => back.close())
  await until('the mail', async () => back.to('stays@example.com').length > 0)
  await until('the end of both', async () => {
    return (await db.count('deliveries', `status = 'PENDING'`, [])) === 0
  })
  assert.equal(back.to('stays@example.com').length, 1)
  assert.deepEqual(back.to('leaves@example.com'), [])
  const [dropped] = await db.run<{ error: string; attempts: number }>(
    `select a.error, d.attempt_count as attempts from deliveries d
       join attempts a on a.delivery_id = d.id and a.number = d.attempt_count
      where d.status = 'FAILED'`,
  )
  assert.equal(dropped?.error, 'The recipient has unsubscribed')

  // When stopped, it finishes the work in flight.
  await fixture.publish(page)
  assert.equal(await fixture.dispatcher.stop(), 0)
  assert.equal(await db.count('attempts', 'outcome is null', []), 0)
})
