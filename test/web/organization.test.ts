// What an organization settles, through the dashboard as it was built: by mouse, by keyboard alone, and by
// somebody who may only look.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { buildWeb } from '../../tools/build-web.ts'
import { findFreePort } from '../../tools/services/ports.ts'
import { type Stack, startStack } from '../../tools/stack.ts'

const WAIT_MS = 30_000
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PLACES = [
  '/webhooks',
  '/webhooks/new',
  '/api-keys',
  '/alert-contacts',
  '/alert-contacts/new',
  '/team',
  '/maintenance',
  '/maintenance/new',
  '/settings',
  '/account',
  '/audit-log',
]

let stack: Stack
let browser: Browser
let baseUrl = ''
let page: Page
const receiver = createServer((_, response) => response.end('{"received":true}'))

before(async () => {
  await buildWeb()
  stack = await startStack({ nats: false, rateLimit: 100_000 })
  baseUrl = (await stack.start('start')).baseUrl
  receiver.listen(await findFreePort(), '127.0.0.1')
  await once(receiver, 'listening')
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  page = await signedIn(stack.person.email, stack.person.password)
})

after(async () => {
  await browser?.close()
  receiver.close()
  await stack?.stop()
})

async function signedIn(email: string, password: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: baseUrl, reducedMotion: 'reduce' })
  const own = await context.newPage()
  own.setDefaultTimeout(WAIT_MS)
  await own.goto('/sign-in')
  await own.getByLabel('E-mail').fill(email)
  await own.getByLabel('Password', { exact: true }).fill(password)
  await own.getByRole('button', { name: 'Sign in' }).click()
  await own.waitForURL(/\/monitors/)
  return own
}

/** What is shown is there: nothing stands in its place any more. */
async function settled(of: Page): Promise<void> {
  await of.locator('.skeleton').first().waitFor({ state: 'hidden' })
}

async function press(name: string, role: 'button' | 'menuitem' = 'button'): Promise<void> {
  await page.getByRole(role, { name, exact: true }).focus()
  await page.keyboard.press('Enter')
}

async function keepSecret(): Promise<void> {
  await page.getByLabel('I have stored it').focus()
  await page.keyboard.press('Space')
  await press('Done')
}

test('a key is made by mouse, works, and is revoked by keyboard alone', async () => {
  await page.goto('/api-keys')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill('Deploy hook')
  await page.getByRole('button', { name: 'Create key' }).click()
  const key = (await page.getByLabel('Secret key').textContent()) ?? ''
  const ask = () => fetch(`${baseUrl}/api/v1/monitors`, { headers: { 'X-API-Key': key } })
  assert.equal((await ask()).status, 200)
  await keepSecret()

  await press('More for Deploy hook')
  await press('Revoke…', 'menuitem')
  await press('Revoke key')
  await page.getByText('Deploy hook is revoked').waitFor()
  assert.equal((await ask()).status, 401)
})

test('an endpoint is made, tested, replayed and given a new secret', async () => {
  const { port } = receiver.address() as { port: number }
  const url = `http://127.0.0.1:${port}/hook`
  await page.goto('/webhooks/new')
  await page.getByLabel('Address').fill(url)
  await page.getByRole('button', { name: 'Create endpoint' }).click()
  await keepSecret()

  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText('Answer, 200').waitFor()
  await press('Send again')
  await page.getByText('by hand').waitFor()

  await press(`More for ${url}`)
  await press('Rotate secret…', 'menuitem')
  await press('Rotate secret')
  await keepSecret()
  await page.getByText('both until').waitFor()
})

test('an invitation leads somebody in who may only look: no screen offers them a change', async () => {
  await page.goto('/team')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('E-mail').fill('reader@example.com')
  await page.getByLabel('Role').selectOption('READ_ONLY')
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
  const link = (await page.getByLabel('Link of the invitation').textContent()) ?? ''
  const context = await browser.newContext({ baseURL: baseUrl })
  const reader = await context.newPage()
  reader.setDefaultTimeout(WAIT_MS)
  await reader.goto(link)
  await reader.getByLabel('Your name').fill('Reader')
  await reader.getByLabel('Password', { exact: true }).fill('watch the vane turn')
  await reader.locator('button[type=submit]').click()
  await reader.waitForURL(/\/monitors/)
  for (const place of ['/webhooks', '/api-keys', '/alert-contacts', '/maintenance', '/settings']) {
    await reader.goto(place)
    await reader.getByRole('heading', { level: 1 }).waitFor()
    await settled(reader)
    const offers = reader
      .locator('main :is(button, a.btn)')
      .filter({ hasText: /^(New|Create|Plan|Test|Invite|Edit|Save|Start now|Add)/ })
    assert.equal(await offers.count(), 0, place)
  }
  await context.close()
})

test('a window is planned, started at once and ended', async () => {
  await page.goto('/maintenance/new')
  await page.getByLabel('Name').fill('Kernel update')
  await page.getByRole('switch', { name: /Every monitor/ }).check()
  await page.getByRole('button', { name: 'Plan window' }).click()
  await page.getByRole('button', { name: 'Start now' }).click()
  await page.getByText('Kernel update is on').waitFor()
  await press('End now')
  await page.getByText('Kernel update is over').waitFor()
})

for (const width of [1440, 390])
  test(`no serious fault for a screen reader and no sideways scroll at ${width} px`, async () => {
    await page.setViewportSize({ width, height: 844 })
    for (const place of PLACES) {
      await page.goto(place)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settled(page)
      await page.evaluate(AXE)
      const faults = await page.evaluate(
        `axe.run().then(({ violations }) => violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id))`,
      )
      assert.deepEqual(faults, [], place)
      const wide = 'document.documentElement.scrollWidth > innerWidth'
      assert.equal(await page.evaluate(wide), false, place)
    }
  })
