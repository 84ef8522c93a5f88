// All routes of the dashboard. Each screen is its own chunk, loaded on navigation or when a link is hovered. The first
// path segments are also in src/api/site/dashboard-paths.ts: the server serves no others.
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import type { Role } from '../../src/domain/people/role.ts'
import { isProblem } from './api/problem.ts'
import { meQuery, readQuery } from './api/queries.ts'
import { Root, RouteFailed } from './root.tsx'
import { LIST_ADDRESS, listInput } from './screens/monitors/list-input.ts'
import { Monitors } from './screens/monitors/monitors.tsx'
import { chosenOf } from './session/organization.ts'
import { NotFound, PageNotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'
import type { Address } from './ui/address.ts'

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Root,
  validateSearch: (search: Record<string, unknown>): Address => search as Address,
})

const auth = <const P extends string>(path: P, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component })

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  notFoundComponent: PageNotFound,
  beforeLoad: async ({ context, location }) => {
    await context.queries.ensureQueryData(meQuery).catch((error: unknown) => {
      if (!isProblem(error, 'unauthorized')) throw error
      throw redirect({ to: '/sign-in', search: { returnTo: location.href } })
    })
  },
})

const screen = <const P extends string>(
  path: P,
  component: ReturnType<typeof lazyRouteComponent>,
) => createRoute({ getParentRoute: () => shell, path, component })

/** A screen for editing; people without the role see a notice instead. */
const form = <const P extends string>(
  path: P,
  needs: Role,
  component: ReturnType<typeof lazyRouteComponent>,
) => createRoute({ getParentRoute: () => shell, path, component, staticData: { needs } })

/** The most common first screen is in the main bundle, and its rows are requested before it renders. */
const monitors = createRoute({
  getParentRoute: () => shell,
  path: '/monitors',
  component: Monitors,
  loader: ({ context: { queries }, location }) => {
    const organization = chosenOf(queries.getQueryData(meQuery.queryKey)?.organizations ?? [])
    if (organization === undefined) return
    const input = listInput({ ...LIST_ADDRESS, ...(location.search as Address) })
    void queries.prefetchQuery(readQuery(organization.id, 'GET /overview/monitors', input))
  },
})

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/monitors', replace: true })
  },
})

const tree = root.addChildren([
  auth(
    '/sign-in',
    lazyRouteComponent(() => import('./screens/auth/sign-in.tsx'), 'SignIn'),
  ),
  auth(
    '/setup',
    lazyRouteComponent(() => import('./screens/auth/set-up.tsx'), 'SetUp'),
  ),
  auth(
    '/reset-password',
    lazyRouteComponent(() => import('./screens/auth/reset-password.tsx'), 'ResetPassword'),
  ),
  auth(
    '/invitation',
    lazyRouteComponent(() => import('./screens/auth/invitation.tsx'), 'Invitation'),
  ),
  auth(
    '/confirm-contact',
    lazyRouteComponent(() => import('./screens/auth/confirm-contact.tsx'), 'ConfirmContact'),
  ),
  shell.addChildren([
    home,
    form(
      '/welcome',
      'MEMBER',
      lazyRouteComponent(() => import('./screens/welcome/welcome.tsx'), 'Welcome'),
    ),
    form(
      '/monitors/new',
      'MEMBER',
      lazyRouteComponent(() => import('./screens/monitor-form/new-monitor.tsx'), 'NewMonitor'),
    ),
    screen(
      '/monitors/$monitorId',
      lazyRouteComponent(() => import('./screens/monitor/monitor.tsx'), 'Monitor'),
    ),
    form(
      '/monitors/$monitorId/edit',
      'MEMBER',
      lazyRouteComponent(() => import('./screens/monitor-form/edit-monitor.tsx'), 'EditMonitor'),
    ),
    monitors,
    screen(
      '/webhooks',
      lazyRouteComponent(() => import('./screens/webhooks/webhooks.tsx'), 'Webhooks'),
    ),
    form(
      '/webhooks/new',
      'MEMBER',
      lazyRouteComponent(() => import('./screens/webhooks/endpoint-form.tsx'), 'NewEndpoint'),
    ),
    form(
      '/webhooks/$endpointId/edit',
      'MEMBER',
      lazyRouteComponent(() => import('./screens/webhooks/endpoint-form.tsx'), 'EditEndpoint'),
    ),
    screen(
      '/api-keys',
      lazyRouteComponent(() => import('./screens/api-keys/api-keys.tsx'), 'ApiKeys'),
    ),
    screen(
      '/alert-contacts',
      lazyRouteComponent(
        () => import('./screens/alert-contacts/alert-contacts.tsx'),
        'AlertContacts',
      ),
    ),
    form(
      '/alert-contacts/new',
      'ADMIN',
      lazyRouteComponent(() => import('./screens/alert-contacts/contact-form.tsx'), 'NewContact'),
    ),
    form(
      '/alert-contacts/$contactId/edit',
      'ADMIN',
      lazyRouteComponent(() => import('./screens/alert-contacts/contact-form.tsx'), 'EditContact'),
    ),
    screen(
      '/team',
      lazyRouteComponent(() => import('./screens/team/team.tsx'), 'Team'),
    ),
    screen(
      '/status-pages',
      lazyRouteComponent(
        () => import('./screens/status-pages/list/status-pages.tsx'),
        'StatusPages',
      ),
    ),
    form(
      '/status-pages/new',
      'MEMBER',
      lazyRouteComponent(() => import('./screens/status-pages/editor/editor.tsx'), 'NewStatusPage'),
    ),
    screen(
      '/status-pages/$statusPageId',
      lazyRouteComponent(
        () => import('./screens/status-pages/editor/editor.tsx'),
        'EditStatusPage',
      ),
    ),
    screen(
      '/status-pages/$statusPageId/incidents',
      lazyRouteComponent(
        () => import('./screens/status-pages/incidents/page-incidents.tsx'),
        'PageIncidents',
      ),
    ),
    screen(
      '/status-pages/$statusPageId/subscribers',
      lazyRouteComponent(
        () => import('./screens/status-pages/subscribers/subscribers.tsx'),
        'PageSubscribers',
      ),
    ),
    form(
      '/status-pages/incidents/new',
      'MEMBER',
      lazyRouteComponent(
        () => import('./screens/status-pages/incidents/publish.tsx'),
        'PublishIncident',
      ),
    ),
    screen(
      '/status-pages/incidents/$statusIncidentId',
      lazyRouteComponent(
        () => import('./screens/status-pages/incidents/status-incident.tsx'),
        'StatusIncident',
      ),
    ),
    screen(
      '/maintenance',
      lazyRouteComponent(() => import('./screens/maintenance/maintenance.tsx'), 'Maintenance'),
    ),
    form(
      '/maintenance/new',
      'MEMBER',
      lazyRouteComponent(() => import('./screens/maintenance/window-form.tsx'), 'NewWindow'),
    ),
    form(
      '/maintenance/$windowId/edit',
      'MEMBER',
      lazyRouteComponent(() => import('./screens/maintenance/window-form.tsx'), 'EditWindow'),
    ),
    screen(
      '/settings',
      lazyRouteComponent(() => import('./screens/settings/settings.tsx'), 'Settings'),
    ),
    screen(
      '/account',
      lazyRouteComponent(() => import('./screens/settings/account.tsx'), 'Account'),
    ),
    screen(
      '/audit-log',
      lazyRouteComponent(() => import('./screens/audit-log/audit-log.tsx'), 'AuditLog'),
    ),
    screen(
      '/incidents',
      lazyRouteComponent(() => import('./screens/incidents/incidents.tsx'), 'Incidents'),
    ),
    screen(
      '/incidents/$incidentId',
      lazyRouteComponent(() => import('./screens/incidents/incident.tsx'), 'Incident'),
    ),
  ]),
])

/** Search parameters are plain text: `?state=DOWN`, never JSON. */
const parseSearch = (text: string): Address => Object.fromEntries(new URLSearchParams(text))
const stringifySearch = (search: Address): string => {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given as [string, string][]).toString()
  return text === '' ? '' : `?${text}`
}

export const createAppRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: tree,
    context: { queries },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: RouteFailed,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  interface StaticDataRouteOption {
    /** The role needed to see this screen. */
    needs?: Role
  }
}
