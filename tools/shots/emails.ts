// Screenshots of alert emails for the documentation.
import type { Browser } from 'playwright-core'
import { EMAIL_SAMPLES } from '../../test/kit/email-samples.ts'
import { keepSmall } from './keep-small.ts'

const PICTURES = [
  { name: 'mail-alert-down', sample: 'down', width: 640, height: 480, colorScheme: 'light' },
  {
    name: 'mail-alert-recovered-dark',
    sample: 'recovered',
    width: 640,
    height: 600,
    colorScheme: 'dark',
  },
  {
    name: 'mail-alert-digest-phone',
    sample: 'down-30',
    width: 390,
    height: 844,
    colorScheme: 'light',
  },
] as const

export async function shootEmails(browser: Browser, folder: string): Promise<void> {
  for (const { name, sample, width, height, colorScheme } of PICTURES) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme })
    const page = await context.newPage()
    await page.setContent(EMAIL_SAMPLES[sample] ?? '')
    await keepSmall(page, folder, name)
    await context.close()
  }
}
