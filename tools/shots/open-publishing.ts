// Dialogs and menus on the screens for status pages, maintenance and webhooks.
import type { Page } from 'playwright-core'
import {
  chooseInMenu,
  openDialog,
  press,
  reading,
  refusing,
  shot,
  submit,
} from './open-organization.ts'
import type { Things } from './routes.ts'
import { respondingWith, type Shot } from './shot.ts'

export const openPublishing = (things: Things): Shot[] => [
  ...editorShots(`/status-pages/${things['statusPageId']}`),
  ...publishedShots(`/status-pages/incidents/${things['statusIncidentId']}`),
  ...maintenanceShots(things),
  ...webhookShots(things),
]

const RESOLVED_AT = '2026-11-14T23:30:00.000Z'

type StatusPage = { data: Record<string, unknown>[] }

function editorShots(path: string): Shot[] {
  const more = (item: RegExp) => (page: Page) => chooseInMenu(page, /^More for (?!section)/, item)
  const domain = (customDomainStatus: string) => (one: Record<string, unknown>) => ({
    ...one,
    customDomain: 'status.acme.example',
    customDomainStatus,
  })
  return [
    shot('status-page-phone', path, {
      act: (page) => page.getByRole('link', { name: 'Phone' }).click(),
    }),
    shot('status-page-component', path, { act: more(/Name and description/) }),
    shot('status-page-section', path, {
      act: (page) => chooseInMenu(page, /^More for section/, /Rename section/),
    }),
    shot('status-page-add', path, { act: (page) => openDialog(page, 'Add monitors') }),
    shot('status-page-by-hand', path, { act: press('Add manual component') }),
    shot('status-page-changed', path, {
      async act(page) {
        await page.getByLabel('Name', { exact: true }).fill('Acme status')
        await page.getByRole('switch', { name: /Require a password/ }).click()
      },
    }),
    shot('status-page-refused', path, {
      async act(page) {
        await page.getByLabel('URL slug').fill('not an address!')
        await page.getByLabel(/Logo URL/).fill('http://acme.example/logo.svg')
        await submit(page, 'Save changes')
      },
    }),
    ...['PENDING', 'FAILED', 'ACTIVE'].map((status) =>
      shot(`status-page-domain-${status.toLowerCase()}`, path, {
        async before(page) {
          await reading<StatusPage>('**/overview/status-pages?*', (body) => ({
            ...body,
            data: body.data.map(domain(status)),
          }))(page)
          await reading<Record<string, unknown>>(
            '**/app/api/**/status-pages/sp_*',
            domain(status),
          )(page)
        },
      }),
    ),
    shot('status-page-delete', path, { act: (page) => openDialog(page, /^Delete/) }),
  ]
}

function publishedShots(path: string): Shot[] {
  return [
    shot('published-correct', path, { act: (page) => openDialog(page, 'Edit') }),
    shot('published-delete', path, {
      act: (page) => chooseInMenu(page, /^More actions/, /Delete/),
    }),
    shot('published-resolve', path, {
      async act(page) {
        await page.getByRole('radio', { name: /Resolved/ }).check({ force: true })
        await page.getByLabel('Message').fill('Orders work again. **Nothing was lost.**')
      },
    }),
    shot('published-next-update', path, {
      async act(page) {
        await page.getByLabel('Next update', { exact: true }).selectOption('Choose a time…')
      },
    }),
    shot('published-overdue', path, {
      before: reading<object>('**/overview/status-incidents/sin_*', (body) => ({
        ...body,
        nextUpdateBy: new Date(Date.now() - 600_000).toISOString(),
      })),
    }),
    shot('published-post-mortem', path, {
      before: reading<object>('**/status-incidents/sin_*', (body) =>
        'status' in body ? { ...body, status: 'RESOLVED', resolvedAt: RESOLVED_AT } : body,
      ),
      act: press('Write post-mortem'),
    }),
    shot('publish-affected', '/status-pages/incidents/new', {
      async act(page) {
        await page.getByLabel('Title').fill('Search is slow')
        await press('Add component')(page)
        await page.getByRole('menuitem').first().click()
      },
    }),
    shot('publish-refused', '/status-pages/incidents/new', {
      async act(page) {
        await page.getByRole('checkbox', { name: 'Acme', exact: true }).check()
        await submit(page, /^Publish to /)
      },
    }),
  ]
}

function maintenanceShots({ windowId }: Things): Shot[] {
  return [
    shot('maintenance-repeating', `/maintenance?window=${windowId}`),
    shot('maintenance-completed', '/maintenance?show=completed'),
    shot('maintenance-cancel', '/maintenance', { act: (page) => openDialog(page, /^Cancel…/) }),
    shot('maintenance-new-monthly', '/maintenance/new', {
      act: (page) => page.getByLabel('Repeats', { exact: true }).selectOption('MONTHLY'),
    }),
    shot('maintenance-refused', '/maintenance/new', {
      async act(page) {
        await page.getByLabel('Name').fill('Ends before it begins')
        await page.getByLabel('Ends', { exact: true }).fill('Jan 1, 2026, 10:00')
        await submit(page, 'Schedule')
      },
    }),
  ]
}

type Endpoints = { data: Record<string, unknown>[] }

function webhookShots({ endpointId }: Things): Shot[] {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const until = new Date(Date.now() + 20 * 3_600_000).toISOString()
  const rotated = { id: endpointId, url: 'https://data.acme.example/upvane', secret }
  const rotate = async (page: Page) => {
    await chooseInMenu(page, /^More for/, /Rotate/)
    await page.getByRole('dialog').waitFor()
  }
  return [
    shot('webhooks-delivery', '/webhooks?show=retried', { act: press(/^Attempts of/) }),
    shot('webhooks-none-match', '/webhooks?event=maintenance.started&show=failed'),
    shot('webhooks-rotate', '/webhooks', { act: rotate }),
    shot('webhooks-delete', '/webhooks', {
      act: (page) => chooseInMenu(page, /^More for/, /Delete/),
    }),
    shot('webhooks-new-secret', '/webhooks', {
      before: respondingWith('**/rotate-secret', { ...rotated, previousSecretExpiresAt: until }),
      async act(page) {
        await rotate(page)
        await page.getByRole('button', { name: 'Rotate secret' }).last().click()
        await page.getByText(secret).waitFor()
      },
    }),
    shot('webhooks-rotated', '/webhooks', {
      before: reading<Endpoints>('**/overview/webhook-endpoints', (body) => ({
        ...body,
        data: body.data.map((one) => ({ ...one, previousSecretExpiresAt: until })),
      })),
    }),
    shot('webhooks-new-chosen', '/webhooks/new', {
      act: (page) => page.getByRole('switch', { name: /All events/ }).click(),
    }),
    shot('webhooks-refused', '/webhooks/new', {
      before: refusing('**/webhook-endpoints', 'url', 'This address is inside a private network.'),
      async act(page) {
        await page.getByLabel('URL').fill('https://127.0.0.1/hook')
        await submit(page, 'Create endpoint')
      },
    }),
  ]
}
