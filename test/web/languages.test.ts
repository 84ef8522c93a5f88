// The dashboard in `en-XA`, a language for tests: messages have accents and brackets and are two fifths longer. A text
// without accents is from no catalog, and what does not fit would not fit in German.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { buildLanguage, buildWeb } from '../../tools/build-web.ts'
import { Camera, WIDTHS } from '../../tools/shots/camera.ts'
import { faultsOf, findPlainTexts, measure } from '../../tools/shots/measure.ts'
import { startBrowser } from '../e2e/pages/browser.ts'
import { type AppFixture, startAppFixture } from '../private/fixture.ts'
import { createTeam } from '../private/screens.ts'

// More are added as their texts move to catalogs.
const PATHS = ['/monitors/new', '/incidents', '/maintenance', '/maintenance/new']

let fixture: AppFixture
let browser: Browser
let camera: Camera
let folder: string

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'upvane-language-'))
  await buildWeb()
  await buildLanguage('en-XA', folder)
  fixture = await startAppFixture()
  browser = await startBrowser('whole')
  const { owner } = await createTeam(fixture)
  const { baseUrl } = fixture.service
  camera = new Camera(browser, baseUrl, [
    {
      name: 'upvane',
      value: owner.cookies.get('upvane') ?? '',
      domain: new URL(baseUrl).hostname,
      path: '/',
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Lax',
    },
  ])
})

after(async () => {
  await browser?.close()
  await fixture?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The service answers, with the files of the other build. */
async function inLanguage(page: Page): Promise<void> {
  await page.route('**/assets/*', (route) =>
    route.fulfill({ path: join(folder, new URL(route.request().url()).pathname) }),
  )
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    await route.fulfill({ response, body: readFileSync(join(folder, 'index.html'), 'utf8') })
  })
}

for (const path of PATHS)
  for (const width of WIDTHS)
    test(`${path}, ${width} px: every text is from a catalog, and two fifths more of it fits`, async () => {
      const shot = { name: path, path, isAuth: false }
      const page = await camera.open(shot, { width, theme: 'light' }, inLanguage)
      const faults = faultsOf(await measure(page, { withBarriers: false }))
      const plain = await findPlainTexts(page)
      const text = await page.locator('main').innerText()
      await page.context().close()
      assert.match(text, /⟦.*⟧/)
      assert.deepEqual({ faults, plain }, { faults: [], plain: [] })
    })
