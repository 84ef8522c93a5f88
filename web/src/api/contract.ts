// The contract of the private API, types only. Nothing of it is shipped, and a contract change that the dashboard does
// not follow fails the type check.
import type {
  BaseOperation,
  OperationInput,
  OperationOutput,
} from '../../../src/contract/operation.ts'
import type * as account from '../../../src/contract/private/account.ts'
import type * as alertContacts from '../../../src/contract/private/alert-contacts.ts'
import type * as escalation from '../../../src/contract/private/alerts/escalation.ts'
import type * as auditLog from '../../../src/contract/private/audit-log.ts'
import type * as checkScreens from '../../../src/contract/private/check-screens.ts'
import type * as deliveryScreens from '../../../src/contract/private/delivery-screens.ts'
import type * as exports from '../../../src/contract/private/exports.ts'
import type * as incidentPosts from '../../../src/contract/private/incident-posts.ts'
import type * as incidentScreens from '../../../src/contract/private/incident-screens.ts'
import type * as evidence from '../../../src/contract/private/incidents/evidence.ts'
import type * as installation from '../../../src/contract/private/installation/installation.ts'
import type * as acknowledgements from '../../../src/contract/private/links/acknowledgements.ts'
import type * as contactConfirmations from '../../../src/contract/private/links/contact-confirmations.ts'
import type * as monitorBulks from '../../../src/contract/private/monitor-bulks.ts'
import type * as monitorScreens from '../../../src/contract/private/monitor-screens.ts'
import type * as followedTags from '../../../src/contract/private/monitors/followed-tags.ts'
import type * as monitorImports from '../../../src/contract/private/monitors/imports.ts'
import type * as regionSettings from '../../../src/contract/private/monitors/region-settings.ts'
import type * as replay from '../../../src/contract/private/monitors/replay.ts'
import type * as monitorViews from '../../../src/contract/private/monitors/views.ts'
import type * as organization from '../../../src/contract/private/organization.ts'
import type * as organizationSettings from '../../../src/contract/private/organization-settings.ts'
import type * as pageScreens from '../../../src/contract/private/page-screens.ts'
import type * as pageSubscribers from '../../../src/contract/private/page-subscribers.ts'
import type * as passkeys from '../../../src/contract/private/passkeys.ts'
import type * as pushDevices from '../../../src/contract/private/push-devices.ts'
import type * as receiverTests from '../../../src/contract/private/receiver-tests.ts'
import type * as regions from '../../../src/contract/private/regions.ts'
import type * as search from '../../../src/contract/private/search.ts'
import type * as sources from '../../../src/contract/private/sources/managed.ts'
import type * as pageLedger from '../../../src/contract/private/status-pages/ledger.ts'
import type * as tags from '../../../src/contract/private/tags.ts'
import type * as tryMonitor from '../../../src/contract/private/try-monitor.ts'
import type * as windowScreens from '../../../src/contract/private/window-screens.ts'
import type * as incidents from '../../../src/contract/public/incidents.ts'
import type * as maintenanceWindows from '../../../src/contract/public/maintenance-windows.ts'
import type * as monitors from '../../../src/contract/public/monitors.ts'
import type * as statusIncidents from '../../../src/contract/public/status-incidents.ts'
import type * as statusPages from '../../../src/contract/public/status-pages.ts'
import type * as webhookDeliveries from '../../../src/contract/public/webhook-deliveries.ts'
import type * as webhookEndpoints from '../../../src/contract/public/webhook-endpoints.ts'

type OperationsOf<Module> = Extract<Module[keyof Module], BaseOperation>

type Private =
  | OperationsOf<typeof account>
  | OperationsOf<typeof acknowledgements>
  | OperationsOf<typeof alertContacts>
  | OperationsOf<typeof auditLog>
  | OperationsOf<typeof checkScreens>
  | OperationsOf<typeof contactConfirmations>
  | OperationsOf<typeof deliveryScreens>
  | OperationsOf<typeof escalation>
  | OperationsOf<typeof evidence>
  | OperationsOf<typeof exports>
  | OperationsOf<typeof incidentPosts>
  | OperationsOf<typeof followedTags>
  | OperationsOf<typeof incidentScreens>
  | OperationsOf<typeof installation>
  | OperationsOf<typeof monitorBulks>
  | OperationsOf<typeof monitorImports>
  | OperationsOf<typeof monitorScreens>
  | OperationsOf<typeof monitorViews>
  | OperationsOf<typeof organization>
  | OperationsOf<typeof organizationSettings>
  | OperationsOf<typeof pageLedger>
  | OperationsOf<typeof pageScreens>
  | OperationsOf<typeof pageSubscribers>
  | OperationsOf<typeof passkeys>
  | OperationsOf<typeof pushDevices>
  | OperationsOf<typeof receiverTests>
  | OperationsOf<typeof regions>
  | OperationsOf<typeof regionSettings>
  | OperationsOf<typeof replay>
  | OperationsOf<typeof search>
  | OperationsOf<typeof sources>
  | OperationsOf<typeof tags>
  | OperationsOf<typeof tryMonitor>
  | OperationsOf<typeof windowScreens>
type Public =
  | OperationsOf<typeof incidents>
  | OperationsOf<typeof maintenanceWindows>
  | OperationsOf<typeof monitors>
  | OperationsOf<typeof statusIncidents>
  | OperationsOf<typeof statusPages>
  | OperationsOf<typeof webhookDeliveries>
  | OperationsOf<typeof webhookEndpoints>

type Personal = Exclude<Private, { path: `/app/api/organizations/{organizationId}${string}` }>

/** Routes of a person, such as `POST /session`. */
type PersonalRoutes = {
  [O in Personal as O['path'] extends `/app/api${infer Rest}` ? `${O['method']} ${Rest}` : never]: O
}

/** Routes under an organization, including public operations: `GET /monitors/{monitorId}`. `GET /` is the
 * organization. */
type OrganizationRoutes = {
  [O in Private | Public as O['path'] extends
    | `/app/api/organizations/{organizationId}${infer Rest}`
    | `/api/v1${infer Rest}`
    ? `${O['method']} ${Rest extends '' ? '/' : Rest}`
    : never]: O
}

type Routes = PersonalRoutes & OrganizationRoutes
export type ApiRoute = keyof Routes & string
export type PersonalRoute = keyof PersonalRoutes & string
export type OrganizationRoute = keyof OrganizationRoutes & string
export type ReadRoute = Extract<OrganizationRoute, `GET ${string}`>
export type WriteRoute = Exclude<OrganizationRoute, ReadRoute>

type WithoutOrganization<Params> = Params extends object ? Omit<Params, 'organizationId'> : Params
type InputPart<Name extends string, Value> = [Value] extends [undefined]
  ? { [K in Name]?: undefined }
  : Record<never, never> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value }

/** The input of a route. A query is always optional; body fields with a default are required. */
export type InputOf<R extends ApiRoute> = InputPart<
  'params',
  WithoutOrganization<OperationInput<Routes[R]>['params']>
> &
  InputPart<'body', OperationInput<Routes[R]>['body']> & {
    query?: Partial<OperationInput<Routes[R]>['query']>
  }

/** The response of a route. */
export type ResponseOf<R extends ApiRoute> = OperationOutput<Routes[R]>

/** One item of the list that a route returns. */
export type ItemOf<R extends ApiRoute> = ResponseOf<R> extends { data: (infer I)[] } ? I : never
