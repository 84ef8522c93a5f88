// Every dashboard route. New screens are captured automatically; unknown parameters fail.
import { PATHS, SIGNED_OUT_PATHS } from '../../src/domain/values/dashboard-paths.ts'

const SIGNED_OUT = new Set<string>(Object.values(SIGNED_OUT_PATHS))

type Route = { path: string; isAuth: boolean }
/** Values for route parameters, such as `monitorId`. */
export type Things = Readonly<Record<string, string | undefined>>

/** All but the first path, which leads to the list of monitors. */
export function listRoutes(): Route[] {
  return Object.values(PATHS)
    .filter((path) => path !== PATHS.home)
    .map((path) => ({ path, isAuth: SIGNED_OUT.has(path) }))
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
