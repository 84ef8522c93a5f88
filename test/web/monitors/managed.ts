// Resources that a configuration file manages: their screens say so, and their forms warn.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertSound } from '../fixture.ts'
import { INPUT_METHODS } from '../input-methods.ts'
import { type Shared, settled } from '../shared.ts'

const SOURCE = 'shop/upvane.yaml'
const LABEL = `Managed by ${SOURCE}`
const HOUR_MS = 3_600_000

type Made = { id: string }

async function createManaged({ fixture }: Shared) {
  const { id, api } = await fixture.createOrganization()
  const make = async (path: string, body: object) => (await api.post(path, body)).json as Made
  const monitor = await make('/monitors', { name: 'Nightly', type: 'CRON' })
  const free = await make('/monitors', { name: 'By hand', type: 'CRON' })
  const contact = await make('/api/ext/v1/alert-contacts', {
    name: 'Ops',
    channel: 'SLACK',
    settings: { url: 'https://hooks.example.com/services/T0/B0/x' },
  })
  const statusPage = await make('/status-pages', { name: 'Public' })
  const window = await make('/maintenance-windows', {
    name: 'Patches',
    startsAt: new Date(Date.now() + HOUR_MS).toISOString(),
    endsAt: new Date(Date.now() + 2 * HOUR_MS).toISOString(),
    timezone: 'UTC',
    monitorIds: [monitor.id],
  })
  const endpoint = await make('/webhook-endpoints', { url: 'https://hooks.example.com/x' })
  const bindings = [
    { address: 'monitors.nightly', id: monitor.id },
    { address: 'alertContacts.ops', id: contact.id },
    { address: 'statusPages.public', id: statusPage.id },
    { address: 'maintenanceWindows.patches', id: window.id },
    { address: 'webhookEndpoints.ops', id: endpoint.id },
  ]
  const path = `/api/ext/v1/sources/${encodeURIComponent(SOURCE)}/bindings`
  assert.equal((await api.put(path, { revision: 0, bindings })).status, 200)
  const screens = [
    `/monitors/${monitor.id}`,
    `/alert-contacts?contact=${contact.id}`,
    `/status-pages/${statusPage.id}`,
    `/maintenance?window=${window.id}`,
    '/webhooks',
  ]
  const forms = [
    `/monitors/${monitor.id}/edit`,
    `/alert-contacts/${contact.id}/edit`,
    `/status-pages/${statusPage.id}`,
    `/maintenance/${window.id}/edit`,
    `/webhooks/${endpoint.id}/edit`,
  ]
  return { id, api, monitor, free, screens, forms }
}

const findWarning = (page: Page) =>
  page
    .getByRole('note')
    .filter({ hasText: LABEL })
    .getByText(/is overwritten when shop\/upvane\.yaml is applied/)

export function testManaged(shared: Shared): void {
  test('managed by a file: said on every screen, warned about on every form', async () => {
    const { id, free, screens, forms } = await createManaged(shared)
    const { page, wrong, close } = await shared.fixture.open(id, 'ADMIN', '/monitors')
    for (const screen of screens) {
      await page.goto(screen)
      await settled(page)
      await page.getByText(LABEL).first().waitFor()
      await assertSound(page)
    }
    for (const form of forms) {
      await page.goto(form)
      await findWarning(page).waitFor()
      await assertSound(page)
    }
    await page.goto(`/monitors/${free.id}/edit`)
    await settled(page)
    assert.equal(await page.getByRole('note').count(), 0)
    assert.deepEqual(wrong, [])
    await close()
  })

  for (const hand of INPUT_METHODS)
    test(`managed by a file: warned, and saved all the same ${hand.name}`, async () => {
      const { id, api, monitor } = await createManaged(shared)
      const form = `/monitors/${monitor.id}/edit`
      const { page, wrong, close } = await shared.fixture.open(id, 'ADMIN', form)
      await findWarning(page).waitFor()
      await hand.write(page.getByLabel('Name', { exact: true }), 'By dashboard')
      await hand.press(page.getByRole('button', { name: 'Save changes', exact: true }))
      await page.getByRole('heading', { name: 'By dashboard', exact: true }).waitFor()
      assert.equal((await api.getMonitor(monitor.id)).name, 'By dashboard')
      assert.deepEqual(wrong, [])
      await close()
    })
}
