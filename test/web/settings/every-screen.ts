// Every route of the dashboard: for read-only members, for a screen reader in both themes, and with hostile text in
// every displayed field.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { listRoutes } from '../../../tools/shots/routes.ts'
import { assertNarrow, assertSound, findContrastFaults, type Opened } from '../fixture.ts'
import { type Shared, settled } from '../shared.ts'
import { fillHostile, type Hostile } from './hostile.ts'

/** Taken from the table of paths, so that a new screen is covered automatically. */
const PATHS = listRoutes()
  .filter(({ isAuth }) => !isAuth)
  .map(({ path }) => path)
const FEWEST = 20

/** Controls that change nothing: search, filter, paginate, view details, copy and export. */
const READING =
  /^(Search|Filter|Type|State|Event$|Endpoint$|Cause|Who|What|All|Copy|CSV|Download|Previous|Next|Today|Try again|Custom|More$|Failed|Details of|Attempts of|Export checks|Go to|Back to |Action$|Period$|Open |\d+ (h|days)|[A-Z][a-z]+ \d{4}$|cron|bash|Python|Node|PowerShell)/
/** Controls for the person's own account and devices. */
const OWN: Readonly<Record<string, RegExp>> = {
  '/account':
    /^(Your name|Time zone of your emails|Save profile|Current password|New password|Change password|Set up an|Sign out|Link with|Turn on$|Add a passkey$)/,
  '/alert-contacts': /^Turn on$/,
  '/team': /^(Roles|More for READ_ONLY$)/,
}

const CONTROLS = `[...document.querySelectorAll(
  'main :is(button, input, select, textarea, [role=button], [role=switch], a.btn)')]
  .filter((element) => element.checkVisibility())
  .map((element) => (element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent
    ?? element.textContent ?? '').trim())`
const DARKEN = `(() => {
  document.documentElement.dataset.theme = 'dark'
  return Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))
})()`
const INJECTED = `[
  ...(globalThis.hacked ? ['ran'] : []),
  ...[...document.querySelectorAll('img[onerror], svg[onload], body script')].map((one) => one.outerHTML),
  ...[...document.querySelectorAll('[href], [src], [action]')]
    .map((one) => one.getAttribute('href') ?? one.getAttribute('src') ?? one.getAttribute('action'))
    .filter((address) => /^\\s*(javascript|data|vbscript):/i.test(address)),
]`

type Travel = (page: Page, path: string) => Promise<unknown>

const load: Travel = (page, path) => page.goto(path)

/** As a link does, without loading the page again. */
const follow: Travel = async (page, path) => {
  await settled(page)
  if (new URL(page.url()).pathname === path) return
  await page.evaluate(`document.querySelector('h1').dataset.before = ''
    history.pushState(null, '', ${JSON.stringify(path)})`)
  await page.locator('h1:not([data-before])').first().waitFor()
}

async function walk(
  { page }: Opened,
  { hostile, travel }: { hostile: Hostile; travel: Travel },
  visit: (path: string, page: Page) => Promise<void>,
): Promise<void> {
  const paths = PATHS.map((path) => path.replace(/\$(\w+)/g, (_, name) => hostile.idOf(path, name)))
  assert.ok(paths.length >= FEWEST, `${paths.length} addresses`)
  for (const path of paths) {
    await travel(page, path)
    await settled(page)
    await visit(path, page)
  }
}

export function testEveryScreen(shared: Shared): void {
  let made: Promise<Hostile> | undefined
  const hostile = () => {
    made ??= fillHostile(shared)
    return made
  }

  test('every screen: hostile text in every field is shown and runs nowhere; no serious fault in both themes', async () => {
    const own = await hostile()
    const opened = await shared.fixture.open(own.orgId, 'OWNER', '/monitors')
    await walk(opened, { hostile: own, travel: load }, async (path, page) => {
      assert.deepEqual(await page.evaluate(INJECTED), [], path)
      await assertSound(page, path)
      await page.evaluate(DARKEN)
      assert.deepEqual(await findContrastFaults(page), [], `${path}, dark`)
    })
    for (const path of own.watched) {
      await opened.page.goto(path)
      await settled(opened.page)
      for (const closed of await opened.page.getByLabel('Details of this check').all())
        await closed.click()
      await opened.page
        .getByText(/hacked=1/)
        .first()
        .waitFor()
      assert.deepEqual(await opened.page.evaluate(INJECTED), [], path)
    }
    for (const [path, shown] of own.issuers) {
      await opened.page.goto(path)
      await opened.page.getByText(shown, { exact: true }).waitFor()
      assert.deepEqual(await opened.page.evaluate(INJECTED), [], path)
      await opened.page.goto('/monitors')
      const row = opened.page.locator('tr', { has: opened.page.locator(`a[href="${path}"]`) })
      const title = await row.locator('td.st').getAttribute('title')
      assert.ok(title?.endsWith(` · ${shown}`), String(title))
    }
    assert.deepEqual(opened.wrong, [])
    await opened.close()
  })

  test('every screen on a phone: nothing is wider than the screen', async () => {
    const own = await hostile()
    const opened = await shared.fixture.open(own.orgId, 'OWNER', '/monitors', 'phone')
    await walk(opened, { hostile: own, travel: follow }, async (path, page) => {
      await assertNarrow(page, path)
    })
    await opened.close()
  })

  test('every screen: who only reads finds no control that writes, and the server still refuses', async () => {
    const own = await hostile()
    const { person, visitor } = await shared.fixture.join(own.orgId, 'READ_ONLY')
    const opened = await shared.fixture.openAs(person, '/monitors')
    const found = new Map<string, string[]>()
    await walk(opened, { hostile: own, travel: load }, async (path, page) => {
      const names = (await page.evaluate(CONTROLS)) as string[]
      const writing = names.filter((name) => !READING.test(name) && !OWN[path]?.test(name))
      if (writing.length > 0) found.set(path, writing)
    })
    assert.deepEqual(Object.fromEntries(found), {})
    for (const [method, path] of own.writes) {
      const answer = await visitor.request(method, `/organizations/${own.orgId}${path}`, {
        body: {},
      })
      assert.equal(answer.status, 403, `${method} ${path}: ${answer.text}`)
    }
    await opened.close()
  })
}
