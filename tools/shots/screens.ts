// The dashboard's screenshots: every route, and the dialogs and menus on it.
import { asInvited, authShots } from './auth.ts'
import { openOrganization } from './open-organization.ts'
import { openPublishing } from './open-publishing.ts'
import { listRoutes, nameOf, pathOf, type Things } from './routes.ts'
import type { Shot } from './shot.ts'
import { watchingShots } from './watching.ts'
import { welcomeShots } from './welcome.ts'

const TYPES = ['HTTP', 'KEYWORD', 'PING', 'PORT', 'CRON', 'DNS', 'SSL', 'DOMAIN'] as const

/** Every route; if the organization is empty, only those without parameters. */
export function listRouteShots(things: Things, { isEmpty = false } = {}): Shot[] {
  const routes = listRoutes().filter(({ path }) => !isEmpty || !path.includes('$'))
  return routes.map(({ path, isAuth }) => ({
    name: nameOf(path),
    path: pathOf(path, things) + (isAuth && path !== '/sign-in' ? '#a-token-of-some-length' : ''),
    isAuth,
    ...(path === '/invitation' && { before: asInvited(false) }),
  }))
}

export function listShots(things: Things): Shot[] {
  return [
    ...listRouteShots(things),
    ...authShots(),
    ...welcomeShots(things),
    ...typeShots(things),
    ...watchingShots(things),
    ...openOrganization(things),
    ...openPublishing(things),
  ]
}

function typeShots(things: Things): Shot[] {
  return TYPES.flatMap((type, index) => {
    const id = things[type]
    const form: Shot = {
      name: `new-monitor-${type.toLowerCase()}`,
      path: '/monitors/new',
      isAuth: false,
      act: (page) => page.locator('.type-card input').nth(index).check({ force: true }),
    }
    if (id === undefined) return [form]
    return [form, { name: `monitor-${type.toLowerCase()}`, path: `/monitors/${id}`, isAuth: false }]
  })
}
