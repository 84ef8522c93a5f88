// Strangers, guessers and old links: nobody learns who is subscribed, and nobody gets email against their will.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, test } from 'node:test'
import { toUuid } from '../../kit/ids.ts'
import { type Page, press, startSubscriberFixture, subscribe, tokenOf, until } from './fixture.ts'

const fixture = await startSubscriberFixture()
const { sink, db, api, emailTo } = fixture
after(() => fixture.stop())

const UNKNOWN_TOKEN = 'x'.repeat(43)

test('the form answers the same for every address, known or not, and after the same time', async () => {
  const page = await fixture.createPage()
  await fixture.join(page, 'known@example.com')
  assert.equal((await subscribe(page, 'waiting@example.com')).status, 200)
  await emailTo('waiting@example.com')
  const answers: { address: string; text: string; ms: number }[] = []
  for (const address of ['new@example.com', 'known@example.com', 'waiting@example.com']) {
    const startMs = performance.now()
    const answer = await subscribe(page, address)
    const text = `${answer.status} ${await answer.text()}`
    answers.push({ address, text, ms: performance.now() - startMs })
  }
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  for (const { ms, address } of answers) assert.ok(ms >= 245, `${address} after ${ms} ms`)
  await emailTo('new@example.com')
  await fixture.quiet()
  assert.equal(sink.to('known@example.com').length, 1, 'it had a mail a moment ago')
  assert.equal(sink.to('waiting@example.com').length, 1)
})

test('a subscriber who subscribes again gets an email that says so, and a stranger cannot change the subscription', async () => {
  const page = await fixture.createPage()
  const [one, web] = page.components
  assert.ok(one && web)
  await fixture.join(page, 'ana@example.com', [web])
  await db.run(`update page_subscribers set asked_at = now() - interval '2 days'`)
  await subscribe(page, 'ANA@example.com', { components: [one] })
  const received = await emailTo('ana@example.com', 2)
  assert.equal(received.headers['subject'], 'You are already subscribed')
  const manage = await fetch(`${page.url}/manage/${tokenOf(received, 'manage')}`)
  assert.match(await manage.text(), new RegExp(`value="${web.id}" checked`))
  assert.equal(await db.count('page_subscribers', 'page_id = $1', [toUuid(page.id)]), 1)
})

test('what is no address is refused in words, and goes nowhere', async () => {
  const page = await fixture.createPage()
  const before = sink.mails.length
  const typed = [
    '',
    'ana',
    'ana@localhost',
    'ana@[127.0.0.1]',
    'ana@example.com\r\nBcc: eve@example.com',
    'ana@example.com, eve@example.com',
    'Ana <ana@example.com>',
    '"<script>alert(1)</script>"@example.com',
    `${'a'.repeat(30_000)}@example.com`,
  ]
  for (const email of typed) {
    const answer = await subscribe(page, email)
    assert.equal(answer.status, 400, email.slice(0, 40))
    const text = await answer.text()
    assert.match(text, /Enter an email address, like name@example\.com/)
    assert.doesNotMatch(text, /<script>alert/)
  }
  await fixture.quiet()
  assert.equal(sink.mails.length, before)
  assert.equal(await db.count('page_subscribers', 'page_id = $1', [toUuid(page.id)]), 0)
})

test('what tenants write stays in its place: no header, no tag, no link of its own', async () => {
  const name = 'Acme\u2028Bcc: eve@example.com'
  const page = await fixture.createPage({ name })
  await fixture.join(page, 'cy@example.com')
  await fixture.publish(page, {
    title: 'Down\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>',
    message: '[click](javascript:alert(1)) ![x](https://evil.example/p.png) <img src=x onerror=y>',
  })
  const mail = await emailTo('cy@example.com', 2)
  assert.equal(mail.headers['bcc'], undefined)
  assert.equal(
    mail.headers['subject'],
    'Investigating: Down Bcc: eve@example.com <script>alert(1)</script>',
  )
  assert.doesNotMatch(mail.html, /<script|<img|javascript:|onerror=y>/)
  assert.deepEqual(sink.to('eve@example.com'), [])
})

test('a link is for its reader: made-up, changed and shortened ones lead nowhere', async () => {
  const page = await fixture.createPage()
  await subscribe(page, 'di@example.com')
  const token = tokenOf(await emailTo('di@example.com'), 'confirm')
  const wrong = [
    UNKNOWN_TOKEN,
    token.toUpperCase(),
    token.slice(0, -1),
    `${token}x`,
    `${token}/`,
    '',
  ]
  for (const guess of wrong)
    for (const verb of ['confirm', 'manage', 'unsubscribe'])
      assert.equal((await fetch(`${page.url}/${verb}/${guess}`)).status, 404, `${verb} ${guess}`)
  for (const verb of ['confirm', 'manage'])
    assert.equal((await press(`${page.url}/${verb}/${UNKNOWN_TOKEN}`)).status, 404)
  assert.equal(
    (await press(`${page.url}/confirm/${token}`, {}, { 'Sec-Fetch-Site': 'cross-site' })).status,
    403,
  )
  assert.equal(
    (await press(`${page.url}/confirm/${token}`, {}, { Origin: 'https://evil.example' })).status,
    403,
  )
  assert.equal(await confirmedOn(page), 0)
  const put = await fetch(`${page.url}/confirm/${token}`, { method: 'PUT' })
  assert.equal(put.status, 405)
  assert.equal(put.headers.get('allow'), 'GET, HEAD, POST')
})

test('a link that confirms works for two days, and one that was used up brings nobody back', async () => {
  const page = await fixture.createPage()
  await subscribe(page, 'ed@example.com')
  const token = tokenOf(await emailTo('ed@example.com'), 'confirm')
  await db.run(
    `update page_subscribers set asked_at = asked_at - interval '49 hours' where page_id = $1`,
    [toUuid(page.id)],
  )
  for (const answer of [
    await fetch(`${page.url}/confirm/${token}`),
    await press(`${page.url}/confirm/${token}`),
  ]) {
    assert.equal(answer.status, 404)
    assert.match(await answer.text(), /no longer works/)
  }
  assert.equal(await confirmedOn(page), 0)

  await db.run(`update page_subscribers set asked_at = now() where page_id = $1`, [toUuid(page.id)])
  assert.match(await (await press(`${page.url}/confirm/${token}`)).text(), /You are subscribed/)
  assert.match(await (await press(`${page.url}/confirm/${token}`)).text(), /You are subscribed/)
  await press(`${page.url}/unsubscribe/${token}`)
  assert.equal((await press(`${page.url}/confirm/${token}`)).status, 404)
  assert.equal(await db.count('page_subscribers', 'page_id = $1', [toUuid(page.id)]), 0)
})

test('who types in many addresses is slowed down; others are not', async () => {
  const page = await fixture.createPage()
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      const answer = await subscribe(page, `many-${i}@example.com`, from(`2001:db8::${i}`))
      return answer.status
    }),
  )
  assert.equal(statuses.filter((status) => status === 200).length, 30)
  assert.equal(statuses.filter((status) => status === 429).length, 10)
  assert.equal((await subscribe(page, 'other@example.com', from('203.0.113.9'))).status, 200)
})

test('another site cannot send the form', async () => {
  const page = await fixture.createPage()
  for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }])
    assert.equal((await subscribe(page, 'fay@example.com', { headers })).status, 403)
  const own = { 'Sec-Fetch-Site': 'same-origin', Origin: new URL(page.url).origin }
  assert.equal((await subscribe(page, 'fay@example.com', { headers: own })).status, 200)
})

test('a page that takes no subscribers has no form, and a service without a relay none for emails', async () => {
  const closed = await fixture.createPage({ subscribersEnabled: false })
  assert.equal((await fetch(`${closed.url}/subscribe`)).status, 404)
  assert.equal((await subscribe(closed, 'gus@example.com')).status, 404)

  const mute = await fixture.startApi({ SMTP_URL: '' })
  const page = await fixture.createPage()
  const path = new URL(page.url).pathname
  for (const below of ['', '/subscribe']) {
    const text = await (await fetch(`${mute.baseUrl}${path}${below}`)).text()
    assert.match(text, /name="slack"/)
    assert.doesNotMatch(text, /name="email"/)
  }
  const there = { ...page, url: `${mute.baseUrl}${path}` }
  assert.equal((await subscribe(there, 'gus@example.com')).status, 404)
})

test('a page with a password asks for it before it takes a subscriber; links in mails do not', async () => {
  const page = await fixture.createPage({ password: 'correct horse' })
  for (const answer of [
    await fetch(`${page.url}/subscribe`),
    await subscribe(page, 'hal@example.com'),
  ]) {
    assert.equal(answer.status, 401)
    assert.doesNotMatch(await answer.text(), /Website/)
  }
  const opened = await press(`${page.url}/unlock`, { password: 'correct horse' })
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
  const answer = await subscribe(page, 'hal@example.com', { headers: { Cookie: cookie } })
  assert.equal(answer.status, 200)
  const token = tokenOf(await emailTo('hal@example.com'), 'confirm')
  assert.equal((await press(`${page.url}/confirm/${token}`)).status, 200)
  assert.equal(await confirmedOn(page), 1)
})

test('links outlive the address of the page, and work while it is hidden', async () => {
  const page = await fixture.createPage()
  const token = await fixture.join(page, 'ivy@example.com')
  const changed = await api.patch(`/status-pages/${page.id}`, {
    slug: `${page.slug}-new`,
    published: false,
  })
  assert.equal(changed.status, 200, changed.text)
  await until('the page to be gone', async () => (await fetch(page.url)).status === 404)
  const old = `${page.url}/unsubscribe/${token}`
  assert.match(await (await fetch(old)).text(), /no more emails from Acme/)
  assert.match(await (await press(old)).text(), /You are unsubscribed/)
  assert.equal(await db.count('page_subscribers', 'page_id = $1', [toUuid(page.id)]), 0)
})

test('on a domain of its own the page has the same form, and its mails lead there', async () => {
  const page = await fixture.createPage({ customDomain: 'status.acme.example' })
  await db.run(`update status_pages set custom_domain_status = 'ACTIVE' where id = $1`, [
    toUuid(page.id),
  ])
  const answer = await requestHost('status.acme.example', '/subscribe', 'email=jo%40example.com')
  assert.equal(answer, 200)
  const mail = await emailTo('jo@example.com')
  const token = tokenOf(mail, 'confirm')
  assert.ok(mail.text.includes(`https://status.acme.example/confirm/${token}`))
  assert.equal(await requestHost('status.acme.example', `/confirm/${token}`, ''), 200)
  await fixture.publish(page)
  const received = await emailTo('jo@example.com', 2)
  assert.match(received.headers['list-unsubscribe'] ?? '', /^<http:\/\/127\.0\.0\.1:\d+\/status\//)
})

const confirmedOn = (page: Page) =>
  db.count('page_subscribers', 'page_id = $1 and confirmed_at is not null', [toUuid(page.id)])

/** A POST whose Host differs from the host it connects to. Returns the status. */
function requestHost(host: string, path: string, body: string): Promise<number> {
  const { hostname, port } = new URL(fixture.service.baseUrl)
  return new Promise((resolve, reject) => {
    const headers = { Host: host, 'Content-Length': Buffer.byteLength(body) }
    const sent = request({ hostname, port, path, method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
