// The contract of the private API, types only. Nothing of it is shipped, and a contract change that the dashboard does
// not follow fails the type check.
import type { OperationInput, OperationOutput } from '../../../src/contract/operation.ts'
import type { DashboardOperation } from '../../../src/contract/private/operations.ts'
import type { PublicOperation } from '../../../src/contract/public/operations.ts'

type Personal = Exclude<
  DashboardOperation,
  { path: `/app/api/organizations/{organizationId}${string}` }
>

/** Routes of a person, such as `POST /session`. */
type PersonalRoutes = {
  [O in Personal as O['path'] extends `/app/api${infer Rest}` ? `${O['method']} ${Rest}` : never]: O
}

/** Routes under an organization, including public operations: `GET /monitors/{monitorId}`. `GET /` is the
 * organization. */
type OrganizationRoutes = {
  [O in DashboardOperation | PublicOperation as O['path'] extends
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

type InputPart<Name extends string, Value> = [Value] extends [undefined]
  ? { [K in Name]?: undefined }
  : Record<never, never> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value }

/** The input of a route. A query is always optional; body fields with a default are required. */
export type InputOf<R extends ApiRoute> = InputPart<'params', OperationInput<Routes[R]>['params']> &
  InputPart<'body', OperationInput<Routes[R]>['body']> & {
    query?: Partial<OperationInput<Routes[R]>['query']>
  }

/** The response of a route. */
export type ResponseOf<R extends ApiRoute> = OperationOutput<Routes[R]>

/** One item of the list that a route returns. */
export type ItemOf<R extends ApiRoute> = ResponseOf<R> extends { data: (infer I)[] } ? I : never
