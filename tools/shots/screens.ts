// What is pictured of the dashboard: every route, and what opens on it.
import type { Page } from 'playwright-core'
import { asInvited, gateShots } from './gates.ts'
import { listRoutes, nameOf, pathOf, type Things } from './routes.ts'
import type { Shot } from './shot.ts'
import { watchingShots } from './watching.ts'
import { welcomeShots } from './welcome.ts'

const TYPES = ['HTTP', 'KEYWORD', 'PING', 'PORT', 'CRON', 'DNS', 'SSL', 'DOMAIN'] as const

/** Every route; without things to show, those that need none. */
export function listRouteShots(things: Things, { isEmpty = false } = {}): Shot[] {
  const routes = listRoutes().filter(({ path }) => !isEmpty || !path.includes('$'))
  return routes.map(({ path, isGate }) => ({
    name: nameOf(path),
    path: pathOf(path, things) + (isGate && path !== '/sign-in' ? '#a-token-of-some-length' : ''),
    isGate,
    ...(path === '/invitation' && { before: asInvited(false) }),
  }))
}

export function listShots(things: Things): Shot[] {
  const on = (path: string, name: string, act: Shot['act']): Shot => ({
    name,
    path,
    isGate: false,
    ...(act && { act }),
  })
  return [
    ...listRouteShots(things),
    ...gateShots(),
    ...welcomeShots(things),
    ...typeShots(things),
    ...watchingShots(things),
    ...openShots(on),
  ]
}

function typeShots(things: Things): Shot[] {
  return TYPES.flatMap((type, index) => {
    const id = things[type]
    const form: Shot = {
      name: `new-monitor-${type.toLowerCase()}`,
      path: '/monitors/new',
      isGate: false,
      act: (page) => page.locator('.type-card input').nth(index).check({ force: true }),
    }
    if (id === undefined) return [form]
    return [form, { name: `monitor-${type.toLowerCase()}`, path: `/monitors/${id}`, isGate: false }]
  })
}

type On = (path: string, name: string, act: Shot['act']) => Shot

function openShots(on: On): Shot[] {
  const button = (name: string | RegExp) => (page: Page) =>
    page.getByRole('button', { name }).first().click()
  const dialog = (page: Page) => page.getByRole('dialog').waitFor()
  return [
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
  ]
}
