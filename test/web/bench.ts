// The dashboard as a person has it: the built files, the real API, and Chromium with a session.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { buildWeb } from '../../tools/build-web.ts'
import { type AppBench, type Role, startAppBench } from '../app/bench.ts'

const CHROMIUM = '/usr/bin/chromium'
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

export type Opened = { page: Page; close(): Promise<void> }
export type WebBench = AppBench & {
  /** A browser of somebody with that role, at an address of the dashboard. */
  open(orgId: string, role: Role, path: string, size?: keyof typeof SIZES): Promise<Opened>
}

export async function startWebBench(): Promise<WebBench> {
  await buildWeb()
  const bench = await startAppBench()
  const browser: Browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox'],
  })
  const { baseUrl } = bench.service
  return {
    ...bench,
    async open(orgId, role, path, size = 'desktop') {
      const { visitor } = await bench.join(orgId, role)
      const options: BrowserContextOptions = { viewport: SIZES[size], reducedMotion: 'reduce' }
      const context = await browser.newContext({ ...options, hasTouch: size === 'phone' })
      const value = visitor.cookies.get('upvane') ?? ''
      await context.addCookies([{ name: 'upvane', value, url: baseUrl }])
      const page = await context.newPage()
      await page.goto(`${baseUrl}${path}`)
      return { page, close: () => context.close() }
    },
    async stop() {
      await browser.close()
      await bench.stop()
    },
  }
}

/** Nothing serious or critical, and nothing that makes the page wider than the screen. */
export async function assertSound(page: Page): Promise<void> {
  // Into the page's own world by its protocol: the page's policy allows no script but its own files.
  await page.evaluate(await readFile(AXE, 'utf8'))
  const found = await page.evaluate(async () => {
    type Axe = {
      run(
        options: object,
      ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>
    }
    const { axe } = globalThis as unknown as { axe: Axe }
    const { violations } = await axe.run({ resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
  })
  assert.deepEqual(found, [])
  const wider = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  assert.ok(wider <= 0, `the page is ${wider} px too wide`)
}

// Texts, because the tests themselves know no browser.
const FOCUSED =
  "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim() ?? ''"

/** Presses Tab until what has the focus has this name. */
export async function tabTo(page: Page, name: string, most = 60): Promise<void> {
  for (let presses = 0; presses < most; presses++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<string>(FOCUSED)
    if (focused === name) return
  }
  assert.fail(`Tab never came to ${name}`)
}
