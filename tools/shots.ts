// Pictures of status pages for the documentation: `node tools/shots.ts [folder]`.
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { acmePage } from '../test/e2e/pages/acme.ts'
import { openPage, startBrowser } from '../test/e2e/pages/browser.ts'
import { World } from '../test/e2e/pages/world.ts'
import { openDatabase } from '../test/kit/database.ts'
import { toUuid } from '../test/kit/ids.ts'
import { startStack } from './stack.ts'

const FOLDER = process.argv[2] ?? join(import.meta.dirname, '../docs/images')
const MAX_BYTES = 150_000
const DESKTOP = { viewport: { width: 1280, height: 860 }, deviceScaleFactor: 1 }
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5 }

type Shot = { name: string; path: string; phone?: boolean; dark?: boolean }

// With a way to send mail readers are offered to subscribe; none is sent here.
const MAIL = { SMTP_URL: 'smtp://127.0.0.1:9?tls=off', SMTP_FROM: 'status@example.com' }
const stack = await startStack({ nats: true, env: { LOG_LEVEL: 'warn', ...MAIL } })
const db = openDatabase(stack.databaseUrl)
const browser = await startBrowser()
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
  mkdirSync(FOLDER, { recursive: true })
  for (const shot of shots) await take(baseUrl, shot)
} finally {
  await browser.close()
  await db.close()
  await stack.stop()
}

async function take(baseUrl: string, { name, path, phone = false, dark = false }: Shot) {
  const { page } = await openPage(browser, baseUrl, {
    ...(phone ? PHONE : DESKTOP),
    colorScheme: dark ? 'dark' : 'light',
  })
  await page.goto(`${baseUrl}${path}`)
  await page.evaluate('document.fonts.ready')
  const file = join(FOLDER, `${name}.png`)
  await page.screenshot({ path: file })
  await page.context().close()
  const { size } = statSync(file)
  console.log(`${name}.png ${size} bytes`)
  if (size > MAX_BYTES) process.exitCode = 1
}
