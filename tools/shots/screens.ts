// What is pictured of the dashboard: every route, and what opens on it.
import type { Page, Route as Request } from 'playwright-core'
import { listRoutes, nameOf, pathOf, type Things } from './routes.ts'

export type Shot = {
  name: string
  path: string
  isGate: boolean
  /** Before the page is opened. */
  before?(page: Page): Promise<void>
  /** When it is there. */
  act?(page: Page): Promise<unknown>
}

const TYPES = ['HTTP', 'KEYWORD', 'PING', 'PORT', 'CRON', 'DNS', 'SSL', 'DOMAIN'] as const

/** Every route; without things to show, those that need none. */
export function listRouteShots(things: Things, { isEmpty = false } = {}): Shot[] {
  const routes = listRoutes().filter(({ path }) => !isEmpty || !path.includes('$'))
  return routes.map(({ path, isGate }) => ({
    name: nameOf(path),
    path: pathOf(path, things) + (isGate && path !== '/sign-in' ? '#a-token-of-some-length' : ''),
    isGate,
    ...(path === '/invitation' && { before: asInvited }),
  }))
}

export function listShots(things: Things): Shot[] {
  const on = (path: string, name: string, act: Shot['act']): Shot => ({
    name,
    path,
    isGate: false,
    ...(act && { act }),
  })
  return [...listRouteShots(things), ...gateShots(), ...typeShots(things), ...openShots(on, things)]
}

function gateShots(): Shot[] {
  const gate = (name: string, path: string, more: Partial<Shot>): Shot => ({
    name,
    path,
    isGate: true,
    ...more,
  })
  return [
    gate('sign-in-refused', '/sign-in', {
      async act(page) {
        await page.getByLabel('E-mail').fill('nobody@acme.example')
        await page.getByLabel('Password', { exact: true }).fill('not the password')
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByRole('alert').waitFor()
      },
    }),
    gate('sign-in-second-factor', '/sign-in', {
      before: (page) => standing(page, 'SECOND_FACTOR'),
    }),
    gate('sign-in-nobody-yet', '/sign-in', { before: (page) => standing(page, 'SET_UP') }),
    gate('forgot-password', '/sign-in', {
      act: (page) => page.getByRole('button', { name: /forgot/i }).click(),
    }),
    gate('link-ended', '/reset-password', {}),
    gate('not-found', '/monitors/none/at/all', {}),
  ]
}

function typeShots(things: Things): Shot[] {
  return TYPES.flatMap((type) => {
    const id = things[type]
    const form: Shot = {
      name: `new-monitor-${type.toLowerCase()}`,
      path: '/monitors/new',
      isGate: false,
      act: (page) => page.locator(`input[type=radio][value=${type}]`).check({ force: true }),
    }
    if (id === undefined) return [form]
    return [form, { name: `monitor-${type.toLowerCase()}`, path: `/monitors/${id}`, isGate: false }]
  })
}

type On = (path: string, name: string, act: Shot['act']) => Shot

function openShots(on: On, things: Things): Shot[] {
  const button = (name: string | RegExp) => (page: Page) =>
    page.getByRole('button', { name }).first().click()
  const dialog = (page: Page) => page.getByRole('dialog').waitFor()
  return [
    on('/monitors', 'palette', async (page) => {
      await page.keyboard.press('/')
      await page.getByRole('combobox').fill('ch')
      await page.getByRole('option').first().waitFor()
    }),
    on('/monitors', 'keyboard-help', async (page) => {
      await page.keyboard.press('?')
      await dialog(page)
    }),
    on('/monitors', 'monitors-picked', async (page) => {
      await page.keyboard.press('j')
      await page.keyboard.press('x')
      await page.getByRole('toolbar').waitFor()
    }),
    on('/monitors?q=nothing+like+it', 'monitors-none-match', undefined),
    on(`/monitors/${things['monitorId']}`, 'monitor-delete', async (page) => {
      await button(/^More/)(page)
      await page.getByRole('menuitem', { name: /Delete/ }).click()
      await page.getByRole('dialog').waitFor()
    }),
    on(`/monitors/mon_01m7e3dhx0e008000mxrf1bnxa`, 'monitor-gone', undefined),
    on('/api-keys', 'api-key-new', async (page) => {
      await button('New key')(page)
      await dialog(page)
    }),
    on('/team', 'team-invite', async (page) => {
      await button('Invite')(page)
      await dialog(page)
    }),
    on('/webhooks', 'webhooks-delivery', (page) =>
      page.locator('section.card table tbody tr').first().click(),
    ),
    on('/alert-contacts', 'alert-contact-open', button(/^Open/)),
    on('/incidents?state=resolved', 'incidents-resolved', undefined),
  ]
}

const json = (body: unknown, status = 200) => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(body),
})

async function standing(page: Page, step: string): Promise<void> {
  await page.route('**/app/api/session', async (route: Request) => {
    const answer = await route.fetch()
    await route.fulfill(json({ ...((await answer.json()) as object), step }))
  })
}

async function asInvited(page: Page): Promise<void> {
  const invitation = {
    organization: 'Acme',
    invitedBy: 'Ana Keller',
    email: 'lena.hofmann@acme.example',
    role: 'MEMBER',
    hasAccount: false,
  }
  await page.route('**/app/api/invitations/read', (route) => route.fulfill(json(invitation)))
}

/** Nothing of the organization can be read: the service has a fault, or cannot be reached. */
export async function breakReads(page: Page, how: 'FAULT' | 'AWAY'): Promise<void> {
  const error = { code: 'internal_error', message: 'Something went wrong.', requestId: 'req_01m7' }
  await page.route('**/app/api/organizations/**', (route) =>
    how === 'AWAY' ? route.abort() : route.fulfill(json({ error }, 500)),
  )
}
