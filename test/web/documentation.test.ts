// The documentation as people read it: in both themes, on a phone, without scripts, and by its search.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startBrowser } from '../e2e/pages/browser.ts'
import { type ProductFixture, startProduct } from '../kit/fixture.ts'
import { NEWCOMERS_QUESTIONS } from '../kit/newcomers-questions.ts'
import { assertNarrow, assertSound, findContrastFaults } from './fixture.ts'

const PHONE = { width: 390, height: 844 }

let fixture: ProductFixture
let browser: Browser
let paths: string[]

before(async () => {
  fixture = await startProduct()
  browser = await startBrowser('shell')
  const text = await (await fetch(`${fixture.service.baseUrl}/docs/llms.txt`)).text()
  const listed = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, url = '']) => new URL(url).pathname)
  const all = listed.map((path) => path.replace(/\.md$/, '')).filter((path) => path !== '/docs')
  // Decisions are all alike; the reference has tests of its own.
  const decisions = all.filter((path) => path.startsWith('/docs/decisions/'))
  paths = [
    '/docs/guides',
    '/docs/search',
    ...all.filter((path) => !decisions.slice(2).includes(path)),
  ]
})
after(async () => {
  await browser.close()
  await fixture.stop()
})

type Options = NonNullable<Parameters<Browser['newContext']>[0]>

async function open(path: string, options: Options = {}): Promise<Page> {
  const { baseUrl } = fixture.service
  const context = await browser.newContext({ baseURL: baseUrl, viewport: PHONE, ...options })
  const page = await context.newPage()
  await page.goto(path)
  return page
}

// One of each kind: lists, tables, pictures, folded samples, headings that are codes, a drawing, and the longest.
const KINDS = [
  'guides',
  'search',
  'decisions',
  'alerts',
  'comparison',
  'data-model',
  'operating/configuration',
  'operating/troubleshooting',
  'status-pages',
  'webhooks',
].map((path) => `/docs/${path}`)

test('every page is as wide as a phone, and nothing in it is refused', async () => {
  assert.ok(paths.length > 40, `only ${paths.length} pages`)
  const page = await open('/docs/guides')
  const refused: string[] = []
  page.on('console', (message) => refused.push(message.text()))
  page.on('pageerror', ({ message }) => refused.push(message))
  for (const path of paths) {
    await page.goto(path)
    await assertNarrow(page, path)
  }
  assert.deepEqual(refused, [])
  await page.context().close()
})

for (const path of KINDS)
  test(`${path}: no barrier, light and dark`, async () => {
    const page = await open(path)
    await assertSound(page, path)
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await findContrastFaults(page), [], 'dark')
    await page.setViewportSize({ width: 1440, height: 900 })
    assert.deepEqual(await findContrastFaults(page), [], 'dark, wide')
    await page.context().close()
  })

test('on a phone the contents open over the page, and close', async () => {
  const page = await open('/docs/operating/backup', { javaScriptEnabled: false })
  const contents = page.getByRole('navigation', { name: 'Contents' })
  assert.equal(await contents.isVisible(), false)
  await page.getByRole('link', { name: 'Contents', exact: true }).click()
  assert.equal(await contents.isVisible(), true)
  await contents.getByText('Alerts and status pages').click()
  await contents.getByRole('link', { name: 'Status pages', exact: true }).click()
  await page.waitForURL('**/docs/status-pages')
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Status pages')
  await page.context().close()
})

test('without scripts: every page has its text, and the search is an index of pages and sections', async () => {
  const page = await open('/docs/search', { javaScriptEnabled: false })
  assert.equal(await page.locator('#query').isVisible(), false)
  await page.locator('#all a[href="/docs/operating/backup#restore"]').click()
  await page.waitForURL('**/docs/operating/backup#restore')
  assert.ok(await page.getByRole('heading', { name: 'Restore', exact: true }).isVisible())
  await page.context().close()
})

test('search: the questions of newcomers, typed, and no request to anybody', async () => {
  const page = await open('/docs/search', { viewport: { width: 1440, height: 900 } })
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const found = page.locator('#results > li')
  for (const [question, path] of NEWCOMERS_QUESTIONS) {
    await page.getByRole('searchbox').fill(question)
    const links = await found
      .locator('a')
      .evaluateAll((all) =>
        all.map((one) => new URL((one as unknown as { href: string }).href).pathname),
      )
    const best = [...new Set(links)].slice(0, 3)
    const expected = path === 'reference' ? '/docs' : `/docs/${path}`
    assert.ok(best.includes(expected), `${question}: ${best.join(', ')}`)
  }
  assert.deepEqual(requests, [])
  await page.getByRole('searchbox').fill('restore a backup')
  assert.match(page.url(), /\?q=restore%20a%20backup$/)
  await assertSound(page, 'results')
  await found.first().getByRole('link').first().click()
  await page.waitForURL('**/docs/operating/backup#**')
  await page.goBack()
  assert.equal(await page.getByRole('searchbox').inputValue(), 'restore a backup')
  assert.ok((await found.count()) > 0)
  await page.context().close()
})

test('search: what somebody types is text, and never markup', async () => {
  const page = await open('/docs/search?q=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E')
  assert.equal(await page.getByRole('searchbox').inputValue(), '<img src=x onerror=alert(1)>')
  assert.equal(await page.locator('main img').count(), 0)
  await page.getByRole('searchbox').fill('xylophonist')
  assert.match((await page.getByRole('status').textContent()) ?? '', /^No results/)
  await page.context().close()
})
