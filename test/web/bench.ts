// The dashboard as a person has it: the built files, the real API, and Chromium with a session.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'
import { buildWeb } from '../../tools/build-web.ts'
import type { Environment } from '../../tools/stack.ts'
import { type AppBench, type Person, type Role, startAppBench } from '../app/bench.ts'
import { type Watched, watch } from './watch.ts'

const CHROMIUM = '/usr/bin/chromium'
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

const KEY_MS = 50

type Size = keyof typeof SIZES

export type Opened = Watched & { close(): Promise<void> }
export type WebBench = AppBench & {
  /** A browser of somebody with that role, at an address of the dashboard. */
  open(orgId: string, role: Role, path: string, size?: Size): Promise<Opened>
  openAs(person: Person, path: string, size?: Size): Promise<Opened>
  /** A browser of somebody who is not signed in. */
  openStranger(path: string): Promise<Opened>
}

export const startWebBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })

type Options = { env?: Environment; command?: 'api' | 'start' }

export async function startWebBench({
  env = {},
  command = 'api',
}: Options = {}): Promise<WebBench> {
  await buildWeb()
  const bench = await startAppBench(env, command)
  const browser = await startWebBrowser()
  const { baseUrl } = bench.service
  const openWith = async (session: string | undefined, path: string, size: Size = 'desktop') => {
    const context = await browser.newContext({
      baseURL: baseUrl,
      viewport: SIZES[size],
      reducedMotion: 'reduce',
      hasTouch: size === 'phone',
    })
    if (session !== undefined)
      await context.addCookies([{ name: 'upvane', value: session, url: baseUrl }])
    const watched = await watch(await context.newPage())
    await watched.page.goto(path)
    return { ...watched, close: () => context.close() }
  }
  const openAs: WebBench['openAs'] = async (person, path, size) =>
    openWith((await bench.enter(person)).cookies.get('upvane'), path, size)
  return {
    ...bench,
    openAs,
    openStranger: (path) => openWith(undefined, path),
    async open(orgId, role, path, size) {
      const { person } = await bench.join(orgId, role)
      return openAs(person, path, size)
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

/** Key by key, as quickly as people who type well. */
export async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).pressSequentially(text, { delay: KEY_MS })
}
