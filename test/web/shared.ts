// What the tests of many screens share: one product, one browser, and the services outside.
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import type { Received } from '../kit/smtp-sink.ts'
import { type ExternalServices, startExternalServices } from './external-services.ts'
import { startWebFixture, type WebFixture } from './fixture.ts'

export type Shared = { fixture: WebFixture; out: ExternalServices }

const POLL_MS = 50
const PATIENCE_MS = 20_000

/** Started before the first test of a file. Tests read it when they run. */
export function shareProduct(): Shared {
  const shared = {} as Shared
  before(async () => {
    shared.out = await startExternalServices()
    shared.fixture = await startWebFixture({ command: 'start', env: shared.out.env })
  })
  after(async () => {
    await shared.fixture?.stop()
    await shared.out?.close()
  })
  return shared
}

/** Repeats until there is a result. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const endAt = performance.now() + PATIENCE_MS
  while (performance.now() < endAt) {
    const found = await ask()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error(`Waited in vain for ${what}`)
}

/** The link to one of our pages in the newest email to an address. */
export async function linkFor(
  out: ExternalServices,
  address: string,
  page: string,
): Promise<string> {
  const find = ({ text }: Received) => new RegExp(`http\\S+/${page}#\\S+`).exec(text)?.[0]
  return until(`a mail with /${page}`, () =>
    out.mail
      .to(address)
      .toReversed()
      .map(find)
      .find((link) => link !== undefined),
  )
}

/** Waits until the content has replaced all placeholders. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'hidden' })
}
