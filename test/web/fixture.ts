// The dashboard as a person uses it: the built files, the real API, and Chromium with a session.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'
import { buildWeb } from '../../tools/build-web.ts'
import type { Environment } from '../../tools/stack.ts'
import { BROWSERS, type BrowserName } from '../kit/browsers.ts'
import { toUuid } from '../kit/ids.ts'
import { type AppFixture, type Person, type Role, startAppFixture } from '../private/fixture.ts'
import { type InputMethod, mouse } from './input-methods.ts'
import { type Watched, watch } from './watch.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

type Size = keyof typeof SIZES

export type Opened = Watched & { close(): Promise<void> }
export type WebFixture = AppFixture & {
  /** A browser of a person with that role, at a path of the dashboard. */
  open(orgId: string, role: Role, path: string, size?: Size): Promise<Opened>
  openAs(person: Person, path: string, size?: Size): Promise<Opened>
  /** A browser that is not signed in. */
  openStranger(path: string): Promise<Opened>
}

export const startWebBrowser = (name: BrowserName = 'shell'): Promise<Browser> =>
  chromium.launch({ executablePath: BROWSERS[name], args: ['--no-sandbox'] })

type Options = { env?: Environment; command?: 'api' | 'start'; browser?: BrowserName }

export async function startWebFixture({
  env = {},
  command = 'api',
  browser: browserName,
}: Options = {}): Promise<WebFixture> {
  await buildWeb()
  const fixture = await startAppFixture(env, { command })
  const browser = await startWebBrowser(browserName)
  const { baseUrl } = fixture.service
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
  const openAs: WebFixture['openAs'] = async (person, path, size) =>
    openWith((await fixture.enter(person)).cookies.get('upvane'), path, size)
  return {
    ...fixture,
    /** As a person creates one: the operator command costs a process each time. */
    async createOrganization() {
      const { visitor: owner } = await fixture.join(fixture.orgId, 'OWNER')
      const made = await owner.post('/organizations', { name: 'Bench' })
      assert.equal(made.status, 201, made.text)
      const { id } = made.json as { id: string }
      const key = await fixture.createKey(id)
      return { id, uuid: toUuid(id), key, api: fixture.api.as(key) }
    },
    openAs,
    openStranger: (path) => openWith(undefined, path),
    async open(orgId, role, path, size) {
      const { person } = await fixture.join(orgId, role)
      return openAs(person, path, size)
    },
    async stop() {
      await browser.close()
      await fixture.stop()
    },
  }
}

/** No serious or critical accessibility faults, and nothing that makes the page wider than the screen. */
export async function assertSound(page: Page, where = page.url()): Promise<void> {
  assert.deepEqual(await findFaults(page, {}), [], where)
  await assertNarrow(page, where)
}

/** In a test that runs with both input methods: the check costs seconds of CPU time, and both see the same. */
export async function assertSoundOnce(page: Page, hand: InputMethod, where?: string) {
  if (hand === mouse) await assertSound(page, where)
}

const TOO_WIDE = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
    .slice(-3).map((element) => element.outerHTML.slice(0, 160))
})()`

/** No horizontal scrolling. */
export async function assertNarrow(page: Page, where = page.url()): Promise<void> {
  assert.deepEqual(await page.evaluate(TOO_WIDE), [], `${where} is too wide`)
}

/** Contrast faults; the only kind a theme affects. */
export const findContrastFaults = (page: Page): Promise<string[]> =>
  findFaults(page, { runOnly: ['color-contrast'] })

async function findFaults(page: Page, options: object): Promise<string[]> {
  // Injected through the protocol: the page's policy allows only its own scripts.
  if (!(await page.evaluate('"axe" in globalThis')))
    await page.evaluate(await readFile(AXE, 'utf8'))
  return page.evaluate(async (chosen) => {
    type Axe = {
      run(
        options: object,
      ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>
    }
    const { axe } = globalThis as unknown as { axe: Axe }
    const { violations } = await axe.run({ resultTypes: ['violations'], ...chosen })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
  }, options)
}
