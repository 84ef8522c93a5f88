// Lost requests and a lost connection: what is sent, what is kept, and what the page says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createTeam } from '../../private/screens.ts'
import { type Shared, settled } from '../shared.ts'

const ABOUT_PALETTE = '**/palette-*.{js,css}'

const lostIn = (page: Page) => page.getByRole('heading', { name: /No connection to Upvane/ })
const paletteIn = (page: Page) => page.getByRole('dialog', { name: 'Command palette' })

async function closeToast(page: Page, text: string | RegExp): Promise<void> {
  const toast = page.locator('.toast:not([data-ending-style])', { hasText: text })
  await toast.waitFor()
  await toast.locator('.toast-close').click()
  await toast.waitFor({ state: 'detached' })
}

/** The form of the organization's name, and how often it was sent. */
async function openName({ fixture }: Shared) {
  const { id } = await fixture.createOrganization()
  const { page, close } = await fixture.open(id, 'OWNER', '/settings')
  await settled(page)
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent += 1
  })
  const field = page.getByLabel('Name', { exact: true }).first()
  const save = page.getByRole('button', { name: 'Save name' })
  return { page, close, field, save, sentCount: () => sent }
}

export function testConnection(shared: Shared): void {
  test('connection: one lost request is no proof of being offline, and the next click is sent', async () => {
    const { page, close, field, save, sentCount } = await openName(shared)
    await page.route('**/app/api/organizations/*', (route) => route.abort(), { times: 1 })
    await field.fill('Second try')
    await save.click()
    await page.getByText("Can't reach the server.").waitFor()
    await save.click()
    await page.getByText('Organization renamed').waitFor()
    assert.equal(await lostIn(page).count(), 0)
    assert.equal(sentCount(), 2)
    await close()
  })

  test('connection: offline, no form is sent and what was typed stays; once the server is back, the first click is sent', async () => {
    const { page, close, field, save, sentCount } = await openName(shared)
    // What shows messages is loaded after the first screen.
    await page.keyboard.press('t')
    await closeToast(page, /^Theme: /)
    await page.context().setOffline(true)
    await field.fill('Typed offline')
    await save.click()
    await lostIn(page).waitFor()
    for (const press of [() => save.click(), () => field.press('Enter')]) {
      await press()
      await closeToast(page, 'No connection. Nothing was sent.')
    }
    assert.equal(sentCount(), 1, 'only the one that found out')
    assert.equal(await field.inputValue(), 'Typed offline')
    await page.context().setOffline(false)
    await save.click()
    await page.getByText('Organization renamed').waitFor()
    await lostIn(page).waitFor({ state: 'detached' })
    assert.equal(sentCount(), 2)
    await close()
  })

  test('connection: what was not loaded in time is said, opens at the next try, and never by itself', async () => {
    const { orgId } = await createTeam(shared.fixture)
    const { page, wrong, close } = await shared.fixture.open(orgId, 'MEMBER', '/incidents')
    await settled(page)
    await page.route(ABOUT_PALETTE, (route) => route.abort())
    await page.reload()
    await settled(page)
    await page.keyboard.press('/')
    await closeToast(page, "Couldn't open this. Try again.")

    await page.context().setOffline(true)
    await page.keyboard.press('/')
    await lostIn(page).waitFor()
    await page.getByText('Search, menus, filters, forms and actions are off until').waitFor()

    await page.unroute(ABOUT_PALETTE)
    const loaded = page.waitForResponse(ABOUT_PALETTE)
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try now' }).click()
    await lostIn(page).waitFor({ state: 'detached' })
    await loaded
    await page.keyboard.press('/')
    await paletteIn(page).waitFor()
    const { width } = (await paletteIn(page).boundingBox()) ?? { width: 0 }
    assert.ok(width > 300 && width < 800, `${width} px wide: its styles are missing`)
    await page.keyboard.press('Escape')
    await paletteIn(page).waitFor({ state: 'detached' })
    assert.deepEqual(wrong, [])
    await close()
  })
}
