// Pictures of alert mails for the documentation.
import type { Browser } from 'playwright-core'
import { LETTERS } from '../../test/kit/letters.ts'
import { keepSmall } from './keep-small.ts'

const PICTURES = [
  { name: 'mail-alert-down', letter: 'down', width: 640, height: 480, colorScheme: 'light' },
  {
    name: 'mail-alert-recovered-dark',
    letter: 'recovered',
    width: 640,
    height: 600,
    colorScheme: 'dark',
  },
  {
    name: 'mail-alert-digest-phone',
    letter: 'down-30',
    width: 390,
    height: 844,
    colorScheme: 'light',
  },
] as const

export async function shootLetters(browser: Browser, folder: string): Promise<void> {
  for (const { name, letter, width, height, colorScheme } of PICTURES) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme })
    const page = await context.newPage()
    await page.setContent(LETTERS[letter] ?? '')
    await keepSmall(page, folder, name)
    await context.close()
  }
}
