// Every path of the dashboard. Its router, its links, the server, and the links in emails and alerts are made from this
// table.

/** Open without a session; emails and the log link to most of them. */
export const SIGNED_OUT_PATHS = {
  signIn: '/sign-in',
  setUp: '/setup',
  resetPassword: '/reset-password',
  invitation: '/invitation',
  confirmContact: '/confirm-contact',
  acknowledge: '/acknowledge',
} as const

export const PATHS = {
  ...SIGNED_OUT_PATHS,
  home: '/',
  welcome: '/welcome',
  monitors: '/monitors',
  newMonitor: '/monitors/new',
  monitor: '/monitors/$monitorId',
  editMonitor: '/monitors/$monitorId/edit',
  incidents: '/incidents',
  incident: '/incidents/$incidentId',
  statusPages: '/status-pages',
  newStatusPage: '/status-pages/new',
  statusPage: '/status-pages/$statusPageId',
  statusPageIncidents: '/status-pages/$statusPageId/incidents',
  statusPageSubscribers: '/status-pages/$statusPageId/subscribers',
  newStatusIncident: '/status-pages/incidents/new',
  statusIncident: '/status-pages/incidents/$statusIncidentId',
  maintenance: '/maintenance',
  newWindow: '/maintenance/new',
  editWindow: '/maintenance/$windowId/edit',
  webhooks: '/webhooks',
  newEndpoint: '/webhooks/new',
  editEndpoint: '/webhooks/$endpointId/edit',
  alertContacts: '/alert-contacts',
  newContact: '/alert-contacts/new',
  editContact: '/alert-contacts/$contactId/edit',
  apiKeys: '/api-keys',
  team: '/team',
  auditLog: '/audit-log',
  settings: '/settings',
  account: '/account',
  operator: '/operator',
} as const

export type DashboardPath = (typeof PATHS)[keyof typeof PATHS]

type ParameterOf<P extends string> = P extends `${string}$${infer Name}/${string}`
  ? Name
  : P extends `${string}$${infer Name}`
    ? Name
    : never

/** `pathTo(PATHS.monitor, { monitorId: 'mon_1' })` is `/monitors/mon_1`. */
export function pathTo<P extends DashboardPath>(
  path: P,
  values: Readonly<Record<ParameterOf<P>, string>>,
): string {
  return Object.entries<string>(values).reduce(
    (filled, [name, value]) => filled.replace(`$${name}`, () => encodeURIComponent(value)),
    path as string,
  )
}

/** The first segment of every path, with its slash. The server serves the dashboard below these, and a 404 elsewhere. */
export function dashboardPrefixes(): string[] {
  return [...new Set(Object.values(PATHS).map((path) => `/${path.split('/')[1] ?? ''}`))]
}
