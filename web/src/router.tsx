// The screen of every path. Each screen is its own chunk, loaded on navigation or when a link is hovered.
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import type { Role } from '../../src/domain/people/role.ts'
import { type DashboardPath, PATHS } from '../../src/domain/values/dashboard-paths.ts'
import { isProblem } from './api/problem.ts'
import { meQuery, readQuery } from './api/queries.ts'
import { Root, RouteFailed } from './root.tsx'
import { LIST_ADDRESS, listInput } from './screens/monitors/list-input.ts'
import { Monitors } from './screens/monitors/monitors.tsx'
import { chosenOf, isClosed } from './session/organization.ts'
import { NotFound, PageNotFound } from './shell/not-found.tsx'
import { type ClosedScreen, Shell } from './shell/shell.tsx'
import type { Address } from './ui/address.ts'

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Root,
  validateSearch: (search: Record<string, unknown>): Address => search as Address,
})

const auth = <const P extends string>(path: P, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component })

const ClosedOrganization = lazyRouteComponent(
  () => import('./screens/settings/closed-organization.tsx'),
  'ClosedOrganization',
) as ClosedScreen

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: () => <Shell Closed={ClosedOrganization} />,
  notFoundComponent: PageNotFound,
  beforeLoad: async ({ context, location }) => {
    await context.queries.ensureQueryData(meQuery).catch((error: unknown) => {
      if (!isProblem(error, 'unauthorized')) throw error
      throw redirect({ to: PATHS.signIn, search: { returnTo: location.href } })
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

// Rows that arrive this soon are painted at once, without a placeholder that would be laid out for nothing.
const ROWS_WAIT_MS = 100

/** The most common first screen is in the main bundle, and its rows are requested before it renders. */
const monitors = createRoute({
  getParentRoute: () => shell,
  path: PATHS.monitors,
  component: Monitors,
  loader: ({ context: { queries }, location }) => {
    const organization = chosenOf(queries.getQueryData(meQuery.queryKey)?.organizations ?? [])
    if (organization === undefined || isClosed(organization)) return
    const input = listInput({ ...LIST_ADDRESS, ...(location.search as Address) })
    const rows = queries.prefetchQuery(readQuery(organization.id, 'GET /overview/monitors', input))
    return Promise.race([rows, new Promise<void>((done) => setTimeout(done, ROWS_WAIT_MS))])
  },
})

const home = createRoute({
  getParentRoute: () => shell,
  path: PATHS.home,
  beforeLoad: () => {
    throw redirect({ to: PATHS.monitors, replace: true })
  },
})

const tree = root.addChildren([
  auth(
    PATHS.signIn,
    lazyRouteComponent(() => import('./screens/auth/sign-in.tsx'), 'SignIn'),
  ),
  auth(
    PATHS.setUp,
    lazyRouteComponent(() => import('./screens/auth/set-up.tsx'), 'SetUp'),
  ),
  auth(
    PATHS.resetPassword,
    lazyRouteComponent(() => import('./screens/auth/reset-password.tsx'), 'ResetPassword'),
  ),
  auth(
    PATHS.invitation,
    lazyRouteComponent(() => import('./screens/auth/invitation.tsx'), 'Invitation'),
  ),
  auth(
    PATHS.confirmContact,
    lazyRouteComponent(() => import('./screens/auth/confirm-contact.tsx'), 'ConfirmContact'),
  ),
  auth(
    PATHS.acknowledge,
    lazyRouteComponent(() => import('./screens/auth/acknowledge.tsx'), 'Acknowledge'),
  ),
  shell.addChildren([
    home,
    form(
      PATHS.welcome,
      'MEMBER',
      lazyRouteComponent(() => import('./screens/welcome/welcome.tsx'), 'Welcome'),
    ),
    form(
      PATHS.newMonitor,
      'MEMBER',
      lazyRouteComponent(() => import('./screens/monitor-form/new-monitor.tsx'), 'NewMonitor'),
    ),
    screen(
      PATHS.monitor,
      lazyRouteComponent(() => import('./screens/monitor/monitor.tsx'), 'Monitor'),
    ),
    form(
      PATHS.editMonitor,
      'MEMBER',
      lazyRouteComponent(() => import('./screens/monitor-form/edit-monitor.tsx'), 'EditMonitor'),
    ),
    monitors,
    screen(
      PATHS.webhooks,
      lazyRouteComponent(() => import('./screens/webhooks/webhooks.tsx'), 'Webhooks'),
    ),
    form(
      PATHS.newEndpoint,
      'MEMBER',
      lazyRouteComponent(() => import('./screens/webhooks/endpoint-form.tsx'), 'NewEndpoint'),
    ),
    form(
      PATHS.editEndpoint,
      'MEMBER',
      lazyRouteComponent(() => import('./screens/webhooks/endpoint-form.tsx'), 'EditEndpoint'),
    ),
    screen(
      PATHS.apiKeys,
      lazyRouteComponent(() => import('./screens/api-keys/api-keys.tsx'), 'ApiKeys'),
    ),
    screen(
      PATHS.alertContacts,
      lazyRouteComponent(
        () => import('./screens/alert-contacts/alert-contacts.tsx'),
        'AlertContacts',
      ),
    ),
    form(
      PATHS.newContact,
      'ADMIN',
      lazyRouteComponent(() => import('./screens/alert-contacts/contact-form.tsx'), 'NewContact'),
    ),
    form(
      PATHS.editContact,
      'ADMIN',
      lazyRouteComponent(() => import('./screens/alert-contacts/contact-form.tsx'), 'EditContact'),
    ),
    screen(
      PATHS.team,
      lazyRouteComponent(() => import('./screens/team/team.tsx'), 'Team'),
    ),
    screen(
      PATHS.statusPages,
      lazyRouteComponent(
        () => import('./screens/status-pages/list/status-pages.tsx'),
        'StatusPages',
      ),
    ),
    form(
      PATHS.newStatusPage,
      'MEMBER',
      lazyRouteComponent(() => import('./screens/status-pages/editor/editor.tsx'), 'NewStatusPage'),
    ),
    screen(
      PATHS.statusPage,
      lazyRouteComponent(
        () => import('./screens/status-pages/editor/editor.tsx'),
        'EditStatusPage',
      ),
    ),
    screen(
      PATHS.statusPageIncidents,
      lazyRouteComponent(
        () => import('./screens/status-pages/incidents/page-incidents.tsx'),
        'PageIncidents',
      ),
    ),
    screen(
      PATHS.statusPageSubscribers,
      lazyRouteComponent(
        () => import('./screens/status-pages/subscribers/subscribers.tsx'),
        'PageSubscribers',
      ),
    ),
    form(
      PATHS.newStatusIncident,
      'MEMBER',
      lazyRouteComponent(
        () => import('./screens/status-pages/incidents/publish.tsx'),
        'PublishIncident',
      ),
    ),
    screen(
      PATHS.statusIncident,
      lazyRouteComponent(
        () => import('./screens/status-pages/incidents/status-incident.tsx'),
        'StatusIncident',
      ),
    ),
    screen(
      PATHS.maintenance,
      lazyRouteComponent(() => import('./screens/maintenance/maintenance.tsx'), 'Maintenance'),
    ),
    form(
      PATHS.newWindow,
      'MEMBER',
      lazyRouteComponent(() => import('./screens/maintenance/window-form.tsx'), 'NewWindow'),
    ),
    form(
      PATHS.editWindow,
      'MEMBER',
      lazyRouteComponent(() => import('./screens/maintenance/window-form.tsx'), 'EditWindow'),
    ),
    screen(
      PATHS.settings,
      lazyRouteComponent(() => import('./screens/settings/settings.tsx'), 'Settings'),
    ),
    screen(
      PATHS.account,
      lazyRouteComponent(() => import('./screens/settings/account.tsx'), 'Account'),
    ),
    screen(
      PATHS.operator,
      lazyRouteComponent(() => import('./screens/operator/operator.tsx'), 'Operator'),
    ),
    screen(
      PATHS.auditLog,
      lazyRouteComponent(() => import('./screens/audit-log/audit-log.tsx'), 'AuditLog'),
    ),
    screen(
      PATHS.incidents,
      lazyRouteComponent(() => import('./screens/incidents/incidents.tsx'), 'Incidents'),
    ),
    screen(
      PATHS.incident,
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

export function createAppRouter(queries: QueryClient) {
  const router = createRouter({
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
  // Does not compile if a path has no screen.
  router.routesByPath satisfies Record<DashboardPath, unknown>
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  interface StaticDataRouteOption {
    /** The role needed to see this screen. */
    needs?: Role
  }
}
