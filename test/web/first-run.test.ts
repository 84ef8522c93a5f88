// From the link in the log to the first green check, as the person who installed it: by keyboard only, key by key,
// timed.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { buildWeb } from '../../tools/build-web.ts'
import { type Service, type Stack, startStack } from '../../tools/stack.ts'
import { openDatabase } from '../kit/database.ts'
import { type ExternalServices, startExternalServices } from './external-services.ts'
import { startWebBrowser } from './fixture.ts'
import { atFocus, keyboard, reach } from './input-methods.ts'
import { until } from './shared.ts'
import { type Watched, watch } from './watch.ts'

const USER_SECONDS = 60
// The speed of a good typist.
const KEY_MS = 50

let out: ExternalServices
let stack: Stack
let service: Service
let browser: Browser
let watched: Watched

before(async () => {
  await buildWeb()
  out = await startExternalServices()
  stack = await startStack({ nats: false, env: out.env })
  const db = openDatabase(stack.databaseUrl)
  await db.run('truncate users, organizations cascade')
  await db.close()
  service = await stack.start('start')
  browser = await startWebBrowser()
  const context = await browser.newContext({ baseURL: service.baseUrl, reducedMotion: 'reduce' })
  watched = await watch(await context.newPage())
})
after(async () => {
  await browser?.close()
  await stack?.stop()
  await out?.close()
})

async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await reach(page.getByLabel(label, { exact: true }))
  await page.keyboard.type(text, { delay: KEY_MS })
}

/** From the log, where it appears soon after the start. */
function setUpLink({ baseUrl } = service): Promise<string> {
  const file = join(stack.directory, `service-${new URL(baseUrl).port}.log`)
  const find = () => /http[^"]*\/setup#[\w.-]+/.exec(readFileSync(file, 'utf8'))?.[0]
  return until('the link in the log', find)
}

test('first run: nobody can sign in, and the page says where the link is', async () => {
  const { page } = watched
  await page.goto('/')
  await page.getByRole('heading', { name: 'No account yet' }).waitFor()
})

test('first run: from the link to the first green check, alerted and published, within a minute', async () => {
  const { page } = watched
  const target = out.web.page({ body: 'fine' })
  const startedAt = performance.now()
  await page.goto(await setUpLink())
  await typeInto(page, 'Organization', 'Acme')
  assert.equal(page.url(), `${service.baseUrl}/setup`, 'the token is not left in the address')
  await typeInto(page, 'Your name', 'Olivia Owner')
  await typeInto(page, 'Email', 'olivia@example.com')
  await typeInto(page, 'Password', 'watch the vane turn')
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { name: "Let's get you set up" }).waitFor()
  await typeInto(page, 'URL', target.url)
  await page.keyboard.press('Enter')
  await page.getByText(/It's up: 200 in/).waitFor()
  assert.equal(target.seen.length, 1, 'looked at before it is saved')
  await keyboard.press(page.getByRole('button', { name: 'Monitor it every minute' }))
  // Each step is focused when it appears.
  await atFocus(page.getByLabel('Email'))
  await page.keyboard.press('Enter')
  await atFocus(page.getByLabel('Page name'))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your first check is green' }).waitFor()
  const seconds = (performance.now() - startedAt) / 1000
  console.log(`first green check after ${seconds.toFixed(1)} s`)
  assert.ok(seconds < USER_SECONDS, `${seconds} s`)

  await atFocus(page.getByRole('button', { name: 'Create key' }))
  await page.keyboard.press('Enter')
  const line =
    (await page.locator('pre, code').filter({ hasText: 'curl' }).first().textContent()) ?? ''
  const [key] = /upv_\w+/.exec(line) ?? []
  const asked = await fetch(`${service.baseUrl}/api/v1/monitors`, {
    headers: { 'X-API-Key': key ?? '' },
  })
  assert.equal(asked.status, 200, 'the line that is shown works')
  await keyboard.press(page.getByRole('button', { name: "I've saved it" }))
  const link = (await page.getByRole('link', { name: /\/status\// }).getAttribute('href')) ?? ''
  assert.match(await (await fetch(link)).text(), /Acme/)
  await keyboard.press(page.getByRole('link', { name: 'Go to monitors' }))
  await page.locator('tbody .state', { hasText: 'Up' }).waitFor()
  const [mail] = out.mail.to('olivia@example.com')
  assert.match(mail?.text ?? '', /Test alert/)
  assert.deepEqual(watched.wrong, [])
})

test('set-up: the link is spent', async () => {
  const { page } = watched
  await page.goto(await setUpLink())
  await page.getByRole('heading', { name: 'This link has expired' }).waitFor()
})

test('set-up: an organization that was created by command gets the first person as its owner', async () => {
  // A running product could deadlock with the statement that empties its tables.
  await service.stop()
  const db = openDatabase(stack.databaseUrl)
  await db.run('truncate users, organizations, setup cascade')
  await operate('org', 'create', '--name', 'My team')
  const started = await stack.start('start')
  const context = await browser.newContext({ baseURL: started.baseUrl, reducedMotion: 'reduce' })
  const { page, wrong } = await watch(await context.newPage())
  const link = await setUpLink(started)
  await page.goto(link)
  await page.getByText("You'll be the owner of My team.").waitFor()
  await atFocus(page.getByLabel('Your name'))
  assert.equal(await page.getByLabel('Organization').count(), 0)

  await operate('org', 'create', '--name', 'Second team')
  await page.reload()
  const choice = page.getByLabel('Organization', { exact: true })
  await choice.waitFor()
  assert.deepEqual(await choice.locator('option').allTextContents(), [
    'My team',
    'Second team',
    'New organization',
  ])
  await choice.selectOption('New organization')
  await page.getByLabel('Organization name').waitFor()
  await choice.selectOption('Second team')
  await page.getByText("You'll be the owner of Second team.").waitFor()
  await page.getByLabel('Your name').fill('Olivia Owner')
  await page.getByLabel('Email').fill('olivia@example.com')
  await page.getByLabel('Password', { exact: true }).fill('watch the vane turn')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: "Let's get you set up" }).waitFor()
  const joined = await db.one<{ name: string; all: number }>(
    `select o.name, (select count(*)::integer from organizations) as all
       from members m join organizations o on o.id = m.org_id where m.role = 'OWNER'`,
  )
  assert.deepEqual(joined, { name: 'Second team', all: 2 })
  assert.deepEqual(wrong, [])
  await context.close()
  await db.close()
})

const MAIN = join(import.meta.dirname, '../../src/main.ts')

/** An operator command, as in a shell next to the service. */
async function operate(...words: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [MAIN, ...words], { env: stack.env })
}
