// The service worker in Chromium: a push message becomes a notification, a recovery replaces it, and a click opens the
// incident. The message is delivered through the DevTools protocol, because no push service is reachable in tests.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startWebFixture } from './fixture.ts'

const fixture = await startWebFixture({ browser: 'whole' })
after(() => fixture.stop())
const { baseUrl } = fixture.service

type Shown = { title: string; body: string; tag: string }

test('push: a notification is shown, the recovery replaces it, and a click opens the incident', async () => {
  const opened = await fixture.open(fixture.orgId, 'MEMBER', '/alert-contacts')
  const { page } = opened
  const context = page.context()
  await context.grantPermissions(['notifications'], { origin: baseUrl })
  const protocol = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    protocol.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first !== undefined) resolve(first.registrationId)
    })
  })
  await protocol.send('ServiceWorker.enable')
  // In text, because the types of a browser are not those of the tests.
  await page.evaluate(
    "navigator.serviceWorker.register('/service-worker.js').then(() => navigator.serviceWorker.ready).then(() => null)",
  )
  const registrationId = await registered
  const shown = () =>
    page.evaluate<Shown[]>(`navigator.serviceWorker.ready
      .then((registration) => registration.getNotifications())
      .then((all) => all.map(({ title, body, tag }) => ({ title, body, tag })))`)
  const push = async (message: object | string) => {
    const data = typeof message === 'string' ? message : JSON.stringify(message)
    await protocol.send('ServiceWorker.deliverPushMessage', {
      origin: baseUrl,
      registrationId,
      data,
    })
  }
  const until = async (title: string) => {
    for (let tries = 0; tries < 100; tries++) {
      const found = await shown()
      if (found.some((one) => one.title === title)) return found
      await page.waitForTimeout(50)
    }
    throw new Error(`No notification "${title}": ${JSON.stringify(await shown())}`)
  }

  const url = `${baseUrl}/incidents/inc_01m7ef2j5re008007k9b361f3r`
  const outage = {
    title: '✕ Checkout is down',
    body: 'HTTP 503',
    url,
    tag: 't',
    at: '2026-11-16T07:00:00Z',
  }
  await push(outage)
  assert.deepEqual(await until(outage.title), [{ title: outage.title, body: 'HTTP 503', tag: 't' }])
  await push({ ...outage, title: '✓ Checkout is up again', body: 'after 5 min' })
  const after = await until('✓ Checkout is up again')
  assert.equal(after.length, 1, 'the recovery replaced the outage')

  const [worker] = context.serviceWorkers()
  assert.ok(worker)
  // Opening a window needs a click of a person, so what would be opened is recorded.
  const clicked = (address: string) =>
    worker.evaluate<string>(`(async () => {
      const opening = Promise.withResolvers()
      clients.openWindow = async (target) => (opening.resolve(String(target)), null)
      await registration.showNotification('Click', { tag: 'click', data: { url: ${JSON.stringify(address)} } })
      const [notification] = await registration.getNotifications({ tag: 'click' })
      dispatchEvent(new NotificationEvent('notificationclick', { notification }))
      return opening.promise
    })()`)
  assert.equal(await clicked(url), url)
  assert.equal(await clicked('https://evil.example/x'), baseUrl, 'nothing but the dashboard')

  await push('not json')
  await until('Upvane')
  await opened.close()
})

test('the dashboard can be installed: manifest, icons, and a policy that allows them', async () => {
  const get = (path: string) => fetch(`${baseUrl}${path}`)
  const manifest = await get('/manifest.webmanifest')
  assert.equal(manifest.headers.get('content-type'), 'application/manifest+json')
  const { icons, display } = (await manifest.json()) as {
    icons: { src: string }[]
    display: string
  }
  assert.equal(display, 'standalone')
  for (const { src } of [...icons, { src: '/apple-touch-icon.png' }]) {
    const icon = await get(src)
    assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/png'], src)
  }
  const worker = await get('/service-worker.js')
  assert.equal(worker.headers.get('cache-control'), 'no-cache')
  assert.ok(!/\bfetch\b|caches/.test(await worker.text()), 'it stores and answers nothing')
  const policy = (await get('/')).headers.get('content-security-policy') ?? ''
  assert.match(policy, /manifest-src 'self'; worker-src 'self'/)
  assert.match(policy, /default-src 'none'/)
})
