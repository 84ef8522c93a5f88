import type { Page } from 'playwright-core'
import type { Received } from '../../kit/smtp-sink.ts'
import type { ExternalServices } from '../external-services.ts'
import type { WebFixture } from '../fixture.ts'

export type Shared = { fixture: WebFixture; out: ExternalServices }

const POLL_MS = 50
const PATIENCE_MS = 20_000

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
