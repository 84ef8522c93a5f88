// The dashboard as people use it: built, served by the product, in a browser.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { buildWeb } from '../../tools/build-web.ts'
import { type Service, type Stack, startStack } from '../../tools/stack.ts'
import { findBarriers, openPage, startBrowser, type Watched } from '../e2e/pages/browser.ts'

let stack: Stack
let service: Service
let browser: Browser
let watched: Watched
let page: Page

before(async () => {
  await buildWeb()
  stack = await startStack({ nats: false })
  service = await stack.start('start')
  browser = await startBrowser()
  watched = await openPage(browser, service.baseUrl)
  page = watched.page
})

after(async () => {
  await browser?.close()
  await stack?.stop()
})

const at = (path: string) => `${service.baseUrl}${path}`

test('served: hashed files for good, the page asked for each time, no script of others, compressed', async () => {
  const index = await fetch(at('/monitors/anything'))
  assert.equal(index.status, 200)
  assert.equal(index.headers.get('cache-control'), 'no-cache')
  const policy = index.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/)
  assert.doesNotMatch(policy, /unsafe/)
  const [asset = ''] = /\/assets\/[\w-]+\.js/.exec(await index.text()) ?? []
  const script = await fetch(at(asset), { headers: { 'Accept-Encoding': 'gzip' } })
  assert.match(script.headers.get('cache-control') ?? '', /immutable/)
  assert.equal(script.headers.get('content-encoding'), 'gzip')
  const etag = index.headers.get('etag') ?? ''
  const again = await fetch(at('/'), { headers: { 'If-None-Match': etag } })
  assert.equal(again.status, 304)
})

test('served: what is not the dashboard stays what it was', async () => {
  for (const [path, status] of [
    ['/api/v1/monitors', 401],
    ['/app/api/me', 401],
    ['/assets/none.js', 404],
    ['/nothing-here', 404],
    ['/docs', 200],
  ] as const)
    assert.equal((await fetch(at(path))).status, status, path)
})

test('sign-in: a stranger is led there, told what is wrong, and comes back to where they were', async () => {
  await page.goto(at('/monitors?state=DOWN'))
  await page.waitForURL('**/sign-in?returnTo=**')
  await page.getByLabel('E-mail').fill(stack.person.email)
  await page.getByLabel('Password', { exact: true }).fill('not the password at all')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  assert.deepEqual(await findBarriers(page), [])
  await page.getByLabel('Password', { exact: true }).fill(stack.person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/monitors?state=DOWN')
})

test('monitors: a new one by keyboard, a problem at its field, then its own page', async () => {
  await page.goto(at('/monitors'))
  await page.getByRole('heading', { name: 'Nothing is watched yet' }).waitFor()
  await page.keyboard.press('n')
  await page.getByRole('heading', { name: 'New monitor' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Reference')
  await page.getByLabel('URL', { exact: true }).fill(service.baseUrl.replace('http://', ''))
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Must start with https:// or http:// and name a host.').waitFor()
  assert.equal(await page.getByLabel('URL', { exact: true }).getAttribute('aria-invalid'), 'true')
  assert.deepEqual(await findBarriers(page), [])
  await page.getByLabel('URL', { exact: true }).fill(at('/docs'))
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Reference' }).waitFor()
  await page.getByText(/^Up$/).first().waitFor({ timeout: 20_000 })
  assert.deepEqual(await findBarriers(page), [])
})

test('monitors: found in the list, picked, paused, and back by undo', async () => {
  await page.goto(at('/monitors'))
  await page.getByRole('link', { name: 'Reference' }).waitFor()
  assert.deepEqual(await findBarriers(page), [])
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByRole('toolbar').getByRole('button', { name: 'Pause' }).click()
  await page.locator('tbody .state', { hasText: 'Paused' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('tbody .state', { hasText: 'Paused' }).waitFor({ state: 'detached' })
})

test('palette and help: opened by key, closed by Escape', async () => {
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: /Search monitors/ }).fill('refer')
  await page.getByRole('option', { name: /Reference/ }).waitFor()
  assert.deepEqual(await findBarriers(page), [])
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: /Search monitors/ }).waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  await page.keyboard.press('Escape')
})

test('a phone has no sideways scrolling, and nothing broke the policy or reached out', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of ['/monitors', '/monitors/new']) {
    await page.goto(at(path))
    await page.getByRole('heading', { level: 1 }).waitFor()
    const beyond = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    assert.ok(Number(beyond) <= 0, `${path}: ${beyond} px`)
  }
  assert.deepEqual(watched.violations, [])
  assert.deepEqual(watched.outside, [])
})
