// The only module that sends requests to the server.
import { STREAM_START_HEADER } from '../../../src/domain/events/change-position.ts'
import { BUILD_HEADER } from '../../../src/domain/values/dashboard-build.ts'
import { noteBuild } from './build.ts'
import { isOffline, noteNoResponse, noteResponse } from './connection.ts'
import type { ApiRoute, InputOf, OrganizationRoute, PersonalRoute, ResponseOf } from './contract.ts'
import { ApiProblem, NoConnection } from './problem.ts'
import { noteStart } from './stream-start.ts'

const TIMEOUT_MS = 60_000
// A person who pressed a button waits for it.
const CONNECTION_TIMEOUT_MS = 5_000

type AnyInput = {
  params?: object | undefined
  query?: object | undefined
  body?: unknown
}

/** Calls a route of the signed-in person: `callApi('POST /session', { body })`. */
export async function callApi<R extends PersonalRoute>(
  route: R,
  input: InputOf<R>,
): Promise<ResponseOf<R>> {
  // Safe because the contract defines this route's response.
  return (await send(route, '/app/api', input)) as ResponseOf<R>
}

/** Calls a route of an organization: `callOrganizationApi(id, 'GET /monitors', { query })`. */
export async function callOrganizationApi<R extends OrganizationRoute>(
  organizationId: string,
  route: R,
  input: InputOf<R>,
): Promise<ResponseOf<R>> {
  const prefix = `/app/api/organizations/${encodeURIComponent(organizationId)}`
  // Safe because the contract defines this route's response.
  return (await send(route, prefix, input, ({ headers }) =>
    noteStart(organizationId, headers.get(STREAM_START_HEADER)),
  )) as ResponseOf<R>
}

/** The URL of a read, for download links. */
export function addressOf<R extends OrganizationRoute>(
  organizationId: string,
  route: R,
  input: InputOf<R>,
): string {
  return `/app/api/organizations/${encodeURIComponent(organizationId)}${pathOf(route, input)}`
}

let checking: Promise<boolean> | undefined

/** Whether the server responds, found out at once. Those who ask at the same time share one request. */
export function checkConnection(): Promise<boolean> {
  checking ??= isResponding().finally(() => {
    checking = undefined
  })
  return checking
}

async function isResponding(): Promise<boolean> {
  try {
    await read('/app/api/session', {
      cache: 'no-store',
      signal: AbortSignal.timeout(CONNECTION_TIMEOUT_MS),
    })
  } catch (error) {
    if (!(error instanceof NoConnection)) return true
    noteNoResponse()
    return false
  }
  return true
}

async function send(
  route: ApiRoute,
  prefix: string,
  input: AnyInput,
  onResponse?: (response: Response) => void,
): Promise<unknown> {
  const method = route.slice(0, route.indexOf(' '))
  try {
    return await read(
      `${prefix}${pathOf(route, input)}`,
      {
        method,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(method !== 'GET' && method !== 'DELETE' && jsonBody(input.body ?? {})),
      },
      onResponse,
    )
  } catch (error) {
    // One lost request is no proof: only the next one tells.
    if (error instanceof NoConnection && !isOffline()) void checkConnection()
    throw error
  }
}

async function read(
  address: string,
  init: RequestInit,
  onResponse?: (response: Response) => void,
): Promise<unknown> {
  const response = await fetchResponse(address, init)
  const body: unknown = await response.json().catch(() => undefined)
  const problem = toProblem(body, response.headers.get('retry-after'))
  // An error page from a proxy counts as no response.
  if (problem === undefined && (!response.ok || body === undefined)) throw new NoConnection()
  noteResponse()
  noteBuild(response.headers.get(BUILD_HEADER))
  if (problem !== undefined) throw problem
  onResponse?.(response)
  return body
}

const jsonBody = (body: unknown) => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

async function fetchResponse(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init)
  } catch {
    throw new NoConnection()
  }
}

function pathOf(route: string, { params, query }: AnyInput): string {
  const values = (params ?? {}) as Record<string, string>
  const path = route
    .slice(route.indexOf(' ') + 1)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const own = path === '/' ? '' : path
  const given = Object.entries(query ?? {})
    .filter(([, value]) => value !== undefined && value !== '' && !isEmptyList(value))
    .map(([name, value]) => [name, String(value)])
  return given.length === 0 ? own : `${own}?${new URLSearchParams(given)}`
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0

function toProblem(body: unknown, retryAfter: string | null): ApiProblem | undefined {
  const error = (body as { error?: ConstructorParameters<typeof ApiProblem>[0] })?.error
  if (typeof error?.code !== 'string') return undefined
  return new ApiProblem(error, retryAfter === null ? undefined : Number(retryAfter))
}
