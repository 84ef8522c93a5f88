// Emails as a browser renders them: light, dark and on a phone. With MAIL_SHOTS=<folder> the screenshots are kept.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Browser, chromium } from 'playwright-core'
import { BROWSERS } from '../../../test/kit/browsers.ts'
import { EMAIL_SAMPLES } from '../../../test/kit/email-samples.ts'

const VIEWS = [
  { name: 'light', width: 720, colorScheme: 'light' },
  { name: 'dark', width: 720, colorScheme: 'dark' },
  { name: 'phone', width: 390, colorScheme: 'light' },
  { name: 'phone-dark', width: 390, colorScheme: 'dark' },
] as const
const MEASURE = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

let browser: Browser
before(async () => {
  const args = ['--headless', '--no-sandbox', '--disable-gpu']
  browser = await chromium.launch({ executablePath: BROWSERS.shell, args })
})
after(() => browser.close())

for (const { name, width, colorScheme } of VIEWS)
  test(`emails, ${name}: nothing is wider than ${width} px, and nothing is fetched`, async () => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme })
    const page = await context.newPage()
    const fetched: string[] = []
    await page.route('**', (route) => {
      fetched.push(route.request().url())
      return route.abort()
    })
    for (const [content, html] of Object.entries(EMAIL_SAMPLES)) {
      await page.setContent(html)
      assert.equal(await page.evaluate<number>(MEASURE), 0, content)
      const path = join(process.env['MAIL_SHOTS'] ?? '', `${content}-${name}.png`)
      if (process.env['MAIL_SHOTS']) await page.screenshot({ path, fullPage: true })
    }
    assert.deepEqual(fetched, [])
    await context.close()
  })
