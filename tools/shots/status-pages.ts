// Screenshots of public status pages in each state, for the documentation.
import type { Browser } from 'playwright-core'
import { acmePage } from '../../test/e2e/pages/acme.ts'
import { openPage } from '../../test/e2e/pages/browser.ts'
import { World } from '../../test/e2e/pages/world.ts'
import { openDatabase } from '../../test/kit/database.ts'
import { toUuid } from '../../test/kit/ids.ts'
import { startStack } from '../stack.ts'
import { keepSmall } from './keep-small.ts'

const DESKTOP = { viewport: { width: 1280, height: 860 }, deviceScaleFactor: 1 }
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5 }

type Shot = { name: string; path: string; phone?: boolean; dark?: boolean }

// With a mail relay, pages offer subscriptions; nothing is sent here.
const MAIL = { SMTP_URL: 'smtp://127.0.0.1:9?tls=off', SMTP_FROM: 'status@example.com' }

export async function shootStatusPages(browser: Browser, folder: string): Promise<void> {
  const stack = await startStack({ nats: true, env: { LOG_LEVEL: 'warn', ...MAIL } })
  const db = openDatabase(stack.databaseUrl)
  try {
    const { baseUrl } = await stack.start('api')
    const world = new World(db, toUuid(stack.organizationId))
    const degraded = await world.seedPage(acmePage('degraded', 'degraded'))
    await world.seedPage(acmePage('operational', 'operational'))
    await world.seedPage(acmePage('outage', 'outage'))
    await world.seedPage({
      ...acmePage('maintenance', 'maintenance'),
      settings: { locale: 'de' },
    })
    const incident = `/status/degraded/incidents/${degraded.incidents[0]}`
    const shots: Shot[] = [
      { name: 'status-operational', path: '/status/operational' },
      { name: 'status-degraded', path: '/status/degraded' },
      { name: 'status-outage-dark', path: '/status/outage', dark: true },
      { name: 'status-maintenance', path: '/status/maintenance' },
      { name: 'status-outage-phone-dark', path: '/status/outage', phone: true, dark: true },
      { name: 'status-degraded-phone', path: '/status/degraded', phone: true },
      { name: 'status-incident', path: incident },
    ]
    for (const shot of shots) await take(browser, baseUrl, { ...shot, folder })
  } finally {
    await db.close()
    await stack.stop()
  }
}

async function take(
  browser: Browser,
  baseUrl: string,
  { name, path, folder, phone = false, dark = false }: Shot & { folder: string },
): Promise<void> {
  const { page } = await openPage(browser, baseUrl, {
    ...(phone ? PHONE : DESKTOP),
    colorScheme: dark ? 'dark' : 'light',
  })
  await page.goto(`${baseUrl}${path}`)
  await page.evaluate('document.fonts.ready')
  await keepSmall(page, folder, name)
  await page.context().close()
}
