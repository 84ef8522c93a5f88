// Chromium, recording everything that should not happen in it.
import { readFileSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { BROWSERS, type BrowserName } from '../../kit/browsers.ts'

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const AXE = readFileSync(
  new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url),
  'utf8',
)

export function startBrowser(name: BrowserName): Promise<Browser> {
  return chromium.launch({ executablePath: BROWSERS[name], args: ARGUMENTS })
}

type Watched = { page: Page; violations: string[]; outside: string[] }

/** `violations`: of the security policy, dialogs and errors. `outside`: requests to any origin but `baseUrl`. */
export async function openPage(
  browser: Browser,
  baseUrl: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    timezoneId: 'Europe/Berlin',
    locale: 'en-US',
    ...options,
  })
  const page = await context.newPage()
  const watched: Watched = { page, violations: [], outside: [] }
  page.on('dialog', (dialog) => {
    watched.violations.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => watched.violations.push(`error ${error.message}`))
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) watched.violations.push(message.text())
  })
  await page.route(
    (url) => url.origin !== new URL(baseUrl).origin,
    (route) => {
      watched.outside.push(route.request().url())
      return route.abort()
    },
  )
  return watched
}

type Finding = { id: string; impact: string; nodes: { target: string[]; html: string }[] }

/** What axe-core rates as serious or critical, one line each. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const violations = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  )) as Finding[]
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
