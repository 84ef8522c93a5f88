// Onboarding, step by step. Writes get a mocked response, so the organization does not change.
import type { Page } from 'playwright-core'
import type { Things } from './routes.ts'
import { respondingWith, type Shot } from './shot.ts'

const OWN = '**/app/api/organizations/*'
const TRIAL = {
  result: 'OK',
  check: { httpStatus: 200, responseMs: 84, resolvedIp: '203.0.113.24', location: 'default' },
}

export function welcomeShots(things: Things): Shot[] {
  const step = (name: string, act: NonNullable<Shot['act']>): Shot => ({
    name: `welcome-${name}`,
    path: '/welcome',
    isAuth: false,
    before: (page) => respondToWrites(page, things['HTTP']),
    act,
  })
  return [
    step('2-checked', tryMonitor),
    step('3-contact', watch),
    step('4-page', async (page) => {
      await watch(page)
      await page.getByRole('button', { name: 'Add and send a test' }).click()
      await page.getByLabel('Page name').waitFor()
    }),
    step('5-key', async (page) => {
      await untilKey(page)
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByText('Copy it now').waitFor()
    }),
    step('6-end', async (page) => {
      await untilKey(page)
      await page.getByRole('button', { name: 'Skip' }).click()
      await page.getByRole('link', { name: 'Go to monitors' }).waitFor()
    }),
  ]
}

async function tryMonitor(page: Page): Promise<void> {
  await page.getByLabel('URL').fill('www.acme.example')
  await page.getByRole('button', { name: 'Check it' }).click()
  await page.getByRole('button', { name: 'Monitor it every minute' }).waitFor()
}

async function watch(page: Page): Promise<void> {
  await tryMonitor(page)
  await page.getByRole('button', { name: 'Monitor it every minute' }).click()
  await page.getByRole('button', { name: 'Add and send a test' }).waitFor()
}

async function untilKey(page: Page): Promise<void> {
  await watch(page)
  await page.getByRole('button', { name: 'Add and send a test' }).click()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Create key' }).waitFor()
}

async function respondToWrites(page: Page, monitorId: string | undefined): Promise<void> {
  const answers: [string, unknown][] = [
    ['/monitor-trials', TRIAL],
    ['/monitors', { id: monitorId, name: 'www.acme.example' }],
    ['/alert-contacts', { id: 'con_01m7e3dhx0e008000mxrf1bnxa' }],
    ['/alert-contacts/*/test', {}],
    ['/status-pages', { url: 'https://status.acme.example' }],
    ['/keys', { key: 'upv_rw_3mZpQ8vTq2LdXw7sBn4KfYh6RjGc9EaU1oPi5tMxNvCb' }],
  ]
  for (const [path, body] of answers) await respondingWith(OWN + path, body)(page)
}
