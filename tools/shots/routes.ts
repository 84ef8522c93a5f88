// Every dashboard route, read from the router. New screens are captured automatically; unknown parameters fail.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROUTER = join(import.meta.dirname, '../../web/src/router.tsx')
// Defined with one of the router's helpers, or written out.
const ROUTE = /\b(?:(auth|screen|form)\(\s*|path: )'(\/[^']+)'/g
const FEWEST = 28

type Route = { path: string; isAuth: boolean }
/** Values for route parameters, such as `monitorId`. */
export type Things = Readonly<Record<string, string | undefined>>

export function listRoutes(): Route[] {
  const routes = [...readFileSync(ROUTER, 'utf8').matchAll(ROUTE)].map(([, kind, path = '']) => ({
    path,
    isAuth: kind === 'auth',
  }))
  if (routes.length < FEWEST) throw new Error(`Only ${routes.length} routes seen in ${ROUTER}`)
  return routes
}

export function pathOf(route: string, things: Things): string {
  return route.replace(/\$(\w+)/g, (_, name: string) => {
    const id = things[name]
    if (id === undefined) throw new Error(`${route}: no ${name} is known; say which one to picture`)
    return id
  })
}

/** `/monitors/$monitorId/edit` -> `monitors-one-edit`. */
export const nameOf = (route: string): string =>
  route.slice(1).replaceAll('/', '-').replace(/\$\w+/g, 'one') || 'home'
