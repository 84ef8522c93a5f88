// Takes one screenshot after the other, each in its own page, and measures what it shows.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { faultsOf, measure, measureLengthened, settled, WATCH_SHIFTS } from './measure.ts'
import type { Shot } from './shot.ts'

const HEIGHTS: Readonly<Record<number, number>> = { 1440: 900, 1280: 800, 1024: 800, 390: 844 }
// 1280 is a laptop, where the columns of lists are narrowest.
export const WIDTHS = [1440, 1280, 1024, 390] as const
export const THEMES = ['light', 'dark'] as const

export type View = { width: number; theme: (typeof THEMES)[number] }
type Person = { email: string; password: string }
type Cookie = Awaited<ReturnType<BrowserContext['cookies']>>[number]

const WAIT_MS = 15_000
const TALLEST = 4000

/** The session's cookies. */
export async function signIn(
  browser: Browser,
  baseUrl: string,
  { email, password }: Person,
): Promise<Cookie[]> {
  const context = await browser.newContext({ baseURL: baseUrl })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
  const cookies = await context.cookies()
  await context.close()
  return cookies
}

/** So that elements fixed to the bottom of the window are at the bottom of the screenshot. */
async function growToContent(page: Page, width: number): Promise<void> {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  await page.setViewportSize({ width, height: Math.min(height, TALLEST) })
  await settled(page)
}

export class Camera {
  readonly #browser: Browser
  readonly #baseUrl: string
  readonly #cookies: Cookie[]
  readonly #zone: string

  /** `zone`: where the viewer is. */
  constructor(browser: Browser, baseUrl: string, cookies: Cookie[], zone = 'Europe/Berlin') {
    this.#browser = browser
    this.#baseUrl = baseUrl
    this.#cookies = cookies
    this.#zone = zone
  }

  /** Opens the page of a shot; the caller closes its context. */
  async open(shot: Shot, { width, theme }: View, before?: Shot['before']): Promise<Page> {
    const context = await this.#browser.newContext({
      baseURL: this.#baseUrl,
      viewport: { width, height: HEIGHTS[width] ?? 900 },
      hasTouch: width < 500,
      colorScheme: theme,
      reducedMotion: 'reduce',
      timezoneId: this.#zone,
      locale: 'en-US',
    })
    if (!shot.isAuth) await context.addCookies(this.#cookies)
    await context.addInitScript(WATCH_SHIFTS)
    const page = await context.newPage()
    page.setDefaultTimeout(WAIT_MS)
    await before?.(page)
    await shot.before?.(page)
    await page.goto(shot.path)
    await (shot.isWaiting ? page.locator('main').waitFor() : settled(page))
    await shot.act?.(page)
    if (shot.act) await settled(page)
    return page
  }

  /** Saves the screenshot in `folder` and returns its faults. */
  async take(
    shot: Shot,
    look: View,
    { folder, before }: { folder: string; before?: Shot['before'] },
  ): Promise<string[]> {
    const page = await this.open(shot, look, before)
    try {
      mkdirSync(folder, { recursive: true })
      const name = `${shot.name}-${look.width}-${look.theme}`
      const faults = faultsOf(await measure(page))
      await growToContent(page, look.width)
      await page.screenshot({ path: join(folder, `${name}.png`) })
      const longer = faultsOf(await measureLengthened(page))
      return [...faults, ...longer.map((fault) => `lengthened: ${fault}`)]
    } finally {
      await page.context().close()
    }
  }
}
