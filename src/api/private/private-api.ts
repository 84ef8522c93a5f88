// The dashboard's private API: a person's session instead of a key, and the same operations underneath. In this order:
// route, origin of a write, session, membership, its gates and role, input, then the operation.
import type { ServerResponse } from 'node:http'
import type { OpenedSession } from '../../actions/people/open-session.ts'
import { isWrite } from '../../contract/operation.ts'
import type { PrivateOperation } from '../../contract/private/operation.ts'
import { STREAM_START_HEADER } from '../../domain/events/change-position.ts'
import { gateRefusal } from '../../domain/people/organization-gate.ts'
import { allows, type Role } from '../../domain/people/role.ts'
import type { Session } from '../../domain/people/session.ts'
import { fromPublicId } from '../../domain/values/id.ts'
import { networkOf } from '../../domain/values/network.ts'
import { ApiError, beingMoved } from '../../platform/api-error.ts'
import { hashToken } from '../../platform/crypto/token.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { nameOperation } from '../../platform/observability/event-loop-watch.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import type { Tenants } from '../../store/core/tenants.ts'
import { type FoundSession, findSession, type Membership } from '../../store/people/sessions.ts'
import type { BoundOperation } from '../http/bind.ts'
import type { Caller } from '../http/caller.ts'
import type { ClientAddress } from '../http/client-address.ts'
import type { HostCookie } from '../http/contexts.ts'
import { toApiError } from '../http/failure.ts'
import { findOperation, type RequestInput, readInput } from '../http/input/read-input.ts'
import { ClientGone } from '../http/input/request-body.ts'
import { type ApiResponse, privateErrorResponse } from '../http/response.ts'
import type { Router } from '../http/router.ts'
import type { RequestTarget, Surface, SurfaceRequest } from '../http/surface.ts'
import { runWaitingWrite } from '../http/waiting-write.ts'
import { runWrite } from '../http/write.ts'
import { requireOperator } from './installation/require-operator.ts'
import type { PrivateApiLimits } from './private-api-limits.ts'
import { FIXED_HEADERS, record, send } from './send-response.ts'
import type { DeviceCookies } from './sign-in/device-cookie.ts'
import { isCrossSite, refuseElsewhere } from './sign-in/same-origin.ts'
import { sessionCookie } from './sign-in/session-cookie.ts'
import { isFile, toFile } from './streams/file.ts'
import { type StreamResponse, sendStream } from './streams/stream-response.ts'
import { toFollow } from './streams/to-follow.ts'

type PrivateApiDeps = {
  /** As upvane_people: accounts, sessions and memberships. `name`: whose share of the connections is used. */
  peopleFor(name: string): Database
  /** The same, only to identify the caller. */
  sessionsFor(name: string): Database
  limits: PrivateApiLimits
  tenants: Tenants
  router: Router<BoundPrivateOperation>
  baseUrl: string
  clientAddress: ClientAddress
  devices: DeviceCookies
  log: Log
  metrics: Metrics
  /** Where a stream of changes starts that misses nothing of what is read from now on. */
  findStreamStart(): Promise<string | undefined>
}

export type BoundPrivateOperation = BoundOperation & { operation: PrivateOperation }

const PRIVATE_API_PREFIX = '/app/api'

/** Already started, and still running. */
const STREAMING: ApiResponse = { status: 200, body: '' }

export function privateApi(deps: PrivateApiDeps): Surface {
  const cookie = sessionCookie(deps.baseUrl)
  const serve = async (
    request: SurfaceRequest,
    response: ServerResponse,
    target: RequestTarget,
  ) => {
    const startedAt = performance.now()
    const visit = new PrivateRequest(deps, cookie, request)
    const reply = await visit
      .respond(target, response)
      .catch((error: unknown) => refusal(deps, error, request))
    if (reply === undefined) return
    if ('chunks' in reply) await stream(deps, request, response, reply)
    else if (reply !== STREAMING)
      send(response, reply, { requestId: request.requestId, cookies: visit.cookies })
    record(deps, visit, reply.status, performance.now() - startedAt)
  }
  return { prefix: PRIVATE_API_PREFIX, serve }
}

/** One request in progress. */
class PrivateRequest {
  operation = 'none'
  userId: string | undefined
  readonly cookies: string[] = []
  readonly request: SurfaceRequest
  readonly #deps: PrivateApiDeps
  readonly #cookie: HostCookie
  #knownAddress: string | undefined

  constructor(deps: PrivateApiDeps, cookie: HostCookie, request: SurfaceRequest) {
    this.#deps = deps
    this.#cookie = cookie
    this.request = request
  }

  async respond(
    target: RequestTarget,
    response: ServerResponse,
  ): Promise<ApiResponse | StreamResponse> {
    const { request } = this
    const { router, baseUrl } = this.#deps
    const { bound, rawParams } = findOperation(router, request.method ?? '', target.path)
    this.operation = bound.operation.id
    nameOperation(bound.operation.id)
    if (isWrite(bound.operation)) refuseElsewhere(request.headers, new URL(baseUrl).origin)

    if (bound.operation.stream) refuseAsStream(request)
    const found = await this.#identify(bound.operation, rawParams['organizationId'])
    const owner = this.#ownerOf(found)
    const input = await readInput(bound, request, { rawParams, query: target.query, owner })
    if (found === undefined || found.membership === null) {
      const output = await bound.handle(input, this.#personal(found?.session) as never)
      return { status: bound.operation.reply.status, body: JSON.stringify(output) }
    }
    if (bound.operation.stream) {
      const { session, membership } = found
      const follow = toFollow(request, input, session, membership)
      await bound.handle(input, { follow, response } as never)
      return STREAMING
    }
    return this.#respondToMember(bound, input, found.session, found.membership)
  }

  /** Whose share of the shared resources this request uses. */
  #ownerOf(found: FoundSession | undefined): string {
    return found?.membership?.orgId ?? found?.session.user.uuid ?? this.#network
  }

  /** Read once per request: an untrusted header is counted. */
  get #address(): string {
    this.#knownAddress ??= this.#deps.clientAddress(this.request)
    return this.#knownAddress
  }

  get #network(): string {
    return networkOf(this.#address)
  }

  /** Undefined for an operation that is open to anyone. */
  async #identify({ who, passes }: PrivateOperation, organizationId: string | undefined) {
    const { limits, sessionsFor } = this.#deps
    if (who === 'ANYONE') return void limits.countVisitor(this.#network)
    const isPersonal = who === 'PERSON' || who === 'OPERATOR'
    const orgId = isPersonal ? null : (fromPublicId('org', organizationId ?? '') ?? null)
    const token = this.#cookie.read(this.request.headers)
    if (token === undefined) throw notSignedIn()
    const visit = { tokenHash: hashToken(token), orgId }
    limits.refuseAgain(visit)
    const found = await findSession(sessionsFor(this.#network), visit.tokenHash, orgId)
    if (found === undefined || !found.session.complete) throw notSignedIn()
    this.userId = found.session.user.uuid
    limits.countMember(visit, found.session.uuid, found.membership?.orgId)
    if (who === 'OPERATOR') await requireOperator(sessionsFor(this.#network), found.session)
    if (isPersonal) return { session: found.session, membership: null }
    return { session: found.session, membership: requireMember(found.membership, who, passes) }
  }

  #personal(session: Session | undefined) {
    const { baseUrl, devices, peopleFor } = this.#deps
    const { headers } = this.request
    const device = devices.read(headers)
    return {
      people: peopleFor(session?.user.uuid ?? this.#network),
      baseUrl,
      ...(session && { session }),
      token: this.#cookie.read(headers),
      address: this.#address,
      agent: headers['user-agent'] ?? '',
      device,
      signIn: ({ token, expiresAt, complete, userUuid }: OpenedSession) => {
        this.cookies.push(this.#cookie.set(token, expiresAt))
        if (complete) this.cookies.push(devices.set(userUuid, device))
      },
      knowBrowser: (userUuid: string) => {
        this.cookies.push(devices.set(userUuid, device))
      },
      signOut: () => {
        this.cookies.push(this.#cookie.clear())
      },
      readCookie: (cookie: HostCookie) => cookie.read(headers),
      setCookie: (cookie: string) => {
        this.cookies.push(cookie)
      },
    }
  }

  async #respondToMember(
    bound: BoundPrivateOperation,
    input: RequestInput,
    session: Session,
    membership: Membership,
  ): Promise<ApiResponse | StreamResponse> {
    const { tenants, baseUrl, peopleFor } = this.#deps
    const caller = toCaller(session, membership)
    const beside = { session, role: membership.role, people: peopleFor(session.user.uuid) }
    const { operation } = bound
    if (!isWrite(operation) || operation.keepsNothing) {
      const tenant = tenants.of(caller.orgId)
      const context = { ...beside, tenant, caller, baseUrl }
      if (isFile(operation)) return toFile(operation, await bound.handle(input, context))
      // Before the read, so that the stream repeats what the read knows rather than missing what it does not.
      const start = await this.#deps.findStreamStart()
      const output = await bound.handle(input, context as never)
      return {
        status: operation.reply.status,
        body: JSON.stringify(output),
        ...(start !== undefined && { headers: { [STREAM_START_HEADER]: start } }),
      }
    }
    const needsSubscription = operation.needsSubscription ?? false
    const { requestId } = this.request
    const { organizationId: _, ...params } = input.params
    const own = { ...input, params }
    const write = { bound, input: own, caller, requestId, needsSubscription, beside }
    return operation.waits
      ? runWaitingWrite({ tenants, baseUrl }, write)
      : runWrite({ tenants, baseUrl }, write)
  }
}

function requireMember(
  membership: Membership | null,
  needed: Role,
  passes: PrivateOperation['passes'],
): Membership {
  // Not being a member must look the same as a missing organization.
  if (membership === null) throw new ApiError('not_found', 'There is no such organization.')
  requireOpen(membership, passes)
  if (!allows(membership.role, needed))
    throw new ApiError('forbidden', 'Your role in this organization does not allow this.')
  return membership
}

/** The gates of the organization are open for this member, or the operation passes them. */
function requireOpen(membership: Membership, passes: PrivateOperation['passes']): void {
  const refusal = gateRefusal(membership, passes)
  if (refusal === undefined) return
  const isMoving = membership.isMoving && !passes?.includes('MOVE')
  throw isMoving ? beingMoved(refusal) : new ApiError('forbidden', refusal)
}

const notSignedIn = (): ApiError => new ApiError('unauthorized', 'Sign in first.')

/** A page of another site could read nothing from a stream, but could hold many open. */
function refuseAsStream({ method, headers }: SurfaceRequest): void {
  if (method !== 'GET')
    throw new ApiError('method_not_allowed', 'This path takes GET.', { headers: { Allow: 'GET' } })
  if (isCrossSite(headers))
    throw new ApiError('forbidden', 'This request did not come from the dashboard.')
}

function toCaller({ user }: Session, { orgId, role, subscriptionActive }: Membership): Caller {
  const access = accessOf(role)
  const actor = { type: 'USER' as const, id: user.uuid, name: user.name }
  return { orgId, actor, access, subscriptionActive }
}

function accessOf(role: Role): Caller['access'] {
  return allows(role, 'MEMBER') ? 'FULL' : 'READ_ONLY'
}

/** Undefined if the client is gone. */
function refusal(
  { log }: PrivateApiDeps,
  error: unknown,
  request: SurfaceRequest,
): ApiResponse | undefined {
  if (error instanceof ClientGone) return undefined
  return privateErrorResponse(toApiError(error, log, request), request.requestId)
}

/** Sends a file. A failure after the start cuts it short, which the client notices. */
async function stream(
  { log }: PrivateApiDeps,
  { requestId, method }: SurfaceRequest,
  response: ServerResponse,
  { status, headers: own, chunks }: StreamResponse,
): Promise<void> {
  const headers = {
    ...FIXED_HEADERS,
    ...own,
    'Content-Disposition': 'attachment',
    'X-Request-Id': requestId,
  }
  try {
    await sendStream(response, { status, headers, chunks })
  } catch (err) {
    log.error({ requestId, method, err }, 'request failed')
  }
}
