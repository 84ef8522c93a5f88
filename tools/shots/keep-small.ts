import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const MAX_BYTES = 150_000

/** Saves a screenshot for the documentation. Its size is limited, because everyone downloads it with the sources. */
export async function keepSmall(page: Page, folder: string, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${name}.png`)
  await page.screenshot({ path })
  const { size } = statSync(path)
  console.log(`${name}.png ${size} bytes`)
  if (size > MAX_BYTES) process.exitCode = 1
}
