// From the form to the last email, through a real SMTP server.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createWindow, fromNow } from '../../kit/windows.ts'
import { FROM, press, startSubscriberFixture, subscribe, tokenOf, until } from './fixture.ts'

const fixture = await startSubscriberFixture()
const { sink, api, emailTo } = fixture
after(() => fixture.stop())

test('subscribe, confirm, be notified of an incident from its beginning to its end, unsubscribe', async () => {
  const page = await fixture.createPage({ timezone: 'Europe/Berlin' })
  const shown = await (await fetch(page.url)).text()
  assert.match(shown, /href="[^"]*\/subscribe"/, 'the page offers it')
  const form = await fetch(`${page.url}/subscribe`)
  assert.equal(form.status, 200)
  assert.match(await form.text(), /name="email"[^]*Website/)

  assert.equal((await subscribe(page, 'ana@example.com')).status, 200)
  const asked = await emailTo('ana@example.com')
  assert.equal(asked.headers['subject'], 'Confirm your subscription')
  assert.equal(asked.headers['from'], `Acme <${FROM}>`)
  assert.equal(asked.headers['list-unsubscribe'], undefined)
  const token = tokenOf(asked, 'confirm')
  const link = `${page.url}/confirm/${token}`
  assert.ok(asked.html.includes(`"${link}"`))

  // A scanner opens every link of an email before its recipient does.
  for (const method of ['GET', 'HEAD', 'GET'])
    assert.equal((await fetch(link, { method })).status, 200)
  await fixture.publish(page, { title: 'Before anybody confirmed' })
  await fixture.quiet()
  assert.equal(sink.to('ana@example.com').length, 1)
  assert.match(await (await press(link)).text(), /You are subscribed/)

  const id = await fixture.publish(page, {
    impact: 'MAJOR',
    message: 'Some **cannot** sign in. <b>Sorry</b>',
    components: [{ componentId: page.components[0]?.id, state: 'DEGRADED' }],
  })
  const first = await emailTo('ana@example.com', 2)
  assert.equal(first.headers['subject'], 'Investigating: Login errors')
  assert.match(first.html, /Some <strong>cannot<\/strong> sign in\. &lt;b&gt;Sorry&lt;\/b&gt;/)
  assert.match(first.text, /^Affected: API \(Degraded\)$/m)
  assert.ok(first.html.includes(`${page.url}/incidents/${id}`))
  assert.equal(first.headers['auto-submitted'], 'auto-generated')
  assert.equal(first.headers['precedence'], undefined)
  assert.match(first.headers['message-id'] ?? '', /^<[0-9a-f-]{36}@upvane\.example>$/)
  assert.ok(Math.abs(Date.parse(first.headers['date'] ?? '') - Date.now()) < 60_000)

  await api.post(`/status-incidents/${id}/updates`, { message: 'Found it.', status: 'IDENTIFIED' })
  const second = await emailTo('ana@example.com', 3)
  assert.equal(second.headers['subject'], 'Identified: Login errors')
  await api.post(`/status-incidents/${id}/updates`, {
    message: 'Not sent.',
    notifySubscribers: false,
  })
  await api.post(`/status-incidents/${id}/updates`, { message: 'Done.', status: 'RESOLVED' })
  const third = await emailTo('ana@example.com', 4)
  assert.equal(third.headers['subject'], 'Resolved: Login errors')
  assert.match(third.text, /^Affected: API \(Operational\)$/m)
  assert.equal(new Set([first, second, third].map(({ headers }) => headers['references'])).size, 1)

  const unsubscribe = `${page.url}/unsubscribe/${tokenOf(third, 'unsubscribe')}`
  assert.match(await (await fetch(unsubscribe)).text(), /Unsubscribe\?/)
  assert.match(await (await press(unsubscribe)).text(), /You are unsubscribed/)
  await api.post(`/status-incidents/${id}/updates`, { message: 'One more.' })
  await fixture.quiet()
  assert.equal(sink.to('ana@example.com').length, 4)
  assert.equal(await fixture.db.count('page_subscribers', 'true', []), 0)
})

test('one click in the mail program unsubscribes: no page, no cookie, and twice is once', async () => {
  const page = await fixture.createPage()
  await fixture.join(page, 'bo@example.com')
  await fixture.publish(page)
  const { headers } = await emailTo('bo@example.com', 2)
  assert.equal(headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  assert.match(headers['list-id'] ?? '', /^<sp_\w+\.upvane\.example>$/)
  const url = /^<(.+)>$/.exec(headers['list-unsubscribe'] ?? '')?.[1] ?? ''
  const elsewhere = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://mail.example' }
  for (let i = 0; i < 2; i++) {
    const answer = await press(url, { 'List-Unsubscribe': 'One-Click' }, elsewhere)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('set-cookie'), null)
  }
  await fixture.publish(page)
  await fixture.quiet()
  assert.equal(sink.to('bo@example.com').length, 2)
})

test('a subscriber who chose components is notified of them and of what has none; the choice can be changed', async () => {
  const page = await fixture.createPage()
  const [one, web] = page.components
  assert.ok(one && web)
  await fixture.join(page, 'all@example.com')
  await fixture.join(page, 'web@example.com', [web])
  const about = (component: { id: string }) => ({
    components: [{ componentId: component.id, state: 'MAJOR_OUTAGE' }],
  })
  await fixture.publish(page, { title: 'API away', ...about(one) })
  await fixture.publish(page, { title: 'Website away', ...about(web) })
  await fixture.publish(page, { title: 'Something', components: [] })
  const subjects = (address: string) =>
    sink
      .to(address)
      .slice(1)
      .map(({ headers }) => headers['subject']?.replace('Investigating: ', ''))
  await emailTo('all@example.com', 4)
  await fixture.quiet()
  assert.deepEqual(subjects('all@example.com').toSorted(), [
    'API away',
    'Something',
    'Website away',
  ])
  assert.deepEqual(subjects('web@example.com').toSorted(), ['Something', 'Website away'])

  const manage = `${page.url}/manage/${tokenOf(await emailTo('web@example.com', 2), 'manage')}`
  const checked = (text: string) =>
    [...text.matchAll(/value="(cmp_\w+)" checked/g)].map(([, id]) => id)
  assert.deepEqual(checked(await (await fetch(manage)).text()), [web.id])
  const refused = await press(manage, { scope: 'some' })
  assert.equal(refused.status, 400)
  assert.match(await refused.text(), /Choose at least one component\./)
  assert.deepEqual(checked(await (await fetch(manage)).text()), [web.id], 'nothing was saved')
  const chosen = await press(manage, { scope: 'some', component: one.id })
  assert.deepEqual(checked(await chosen.text()), [one.id])
  await fixture.publish(page, { title: 'API again', ...about(one) })
  await emailTo('web@example.com', 4)
  assert.equal(subjects('web@example.com').at(-1), 'API again')
  const whole = await press(manage, { scope: 'all', component: one.id })
  assert.deepEqual(checked(await whole.text()), [], 'all updates, whatever is still checked')
})

test('a window is announced in the language and the zone of the page', async () => {
  const scheduler = await fixture.stack.start('scheduler')
  const monitor = await api.createMonitor({ name: 'Kasse' })
  const page = await fixture.createPage({
    locale: 'de',
    timezone: 'Europe/Berlin',
    sections: [{ name: null, components: [{ monitorId: monitor.id }] }],
  })
  await fixture.join(page, 'uwe@example.com')
  assert.match(
    (await emailTo('uwe@example.com')).headers['subject'] ?? '',
    /^Abonnement bestätigen$/,
  )
  const fields = { allMonitors: false, monitorIds: [monitor.id], notifySubscribers: true }
  await createWindow(api, { ...fields, notifySubscribers: false, name: 'Stille' })
  const window = await createWindow(api, {
    ...fields,
    name: 'Umbau',
    startsAt: fromNow(6_000),
    endsAt: fromNow(9_000),
  })
  const canceled = await createWindow(api, { ...fields, name: 'Abgesagt' })
  await api.delete(`/maintenance-windows/${canceled.id}`)
  await emailTo('uwe@example.com', 6)
  await fixture.quiet()
  const mails = sink.to('uwe@example.com').slice(1)
  assert.deepEqual(mails.map(({ headers }) => headers['subject']).toSorted(), [
    'Wartung abgesagt: Abgesagt',
    'Wartung geplant: Abgesagt',
    'Wartung geplant: Umbau',
    'Wartung hat begonnen: Umbau',
    'Wartung ist beendet: Umbau',
  ])
  const begun = mails.find(({ headers }) => headers['subject']?.includes('begonnen'))
  assert.match(begun?.text ?? '', /^Betroffen: Kasse$/m)
  assert.match(begun?.text ?? '', /Uhr MEZ|Uhr MESZ|MEZ|MESZ/)
  assert.equal(begun?.headers['content-language'], 'de')
  assert.ok(begun?.html.includes(`${page.url}/maintenance/${window.id}`))
  // A busy machine may show the page of before: then a new address is 503.
  await until('its page', async () => {
    const { status } = await fetch(`${page.url}/maintenance/${window.id}`)
    assert.ok(status === 200 || status === 503, String(status))
    return status === 200
  })
  await scheduler.stop()
})

test('a recipient who is refused is given up; the others get theirs', async () => {
  const page = await fixture.createPage()
  await fixture.join(page, 'good@example.com')
  await fixture.join(page, 'bad@example.com')
  fixture.refuse.add('bad@example.com')
  await fixture.publish(page)
  await emailTo('good@example.com', 2)
  const failed = await until('the end of the other', async () => {
    const rows = await fixture.db.run<{ status: string; attempts: number; text: string }>(
      `select d.status, d.attempt_count as attempts, a.response_body as text from deliveries d
         join attempts a on a.delivery_id = d.id where a.response_status = 550`,
    )
    return rows.length > 0 && rows
  })
  assert.deepEqual(failed, [{ status: 'FAILED', attempts: 1, text: '550 5.1.1 <…>: nobody' }])
  const [queue] = await fixture.db.run<{ n: number }>(
    'select sum(failures_in_a_row)::int as n from receivers',
  )
  assert.equal(queue?.n, 0)
})
