// What a handler gets, by who may call its operation: keys of an organization, its members, people, or anyone.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { OpenedSession } from '../../actions/people/open-session.ts'
import type { Role } from '../../domain/people/role.ts'
import type { KnownDevice, Session } from '../../domain/people/session.ts'
import type { Database } from '../../store/core/db.ts'
import type { Tenant, Tenants, TenantTx } from '../../store/core/tenants.ts'
import type { FollowedSession } from '../../store/people/sessions.ts'
import type { Caller } from './caller.ts'

type RequestContext = { caller: Caller; baseUrl: string }
export type ReadContext = RequestContext & { tenant: Tenant }
/** A write runs in the transaction that also stores its events and its response. */
export type WriteContext = RequestContext & { tx: TenantTx }
/** A write that waits on the network holds no transaction meanwhile; it opens its own. */
export type WaitingContext = RequestContext & { tenants: Tenants }

/** What operations of the dashboard that belong to an organization get besides. */
type MemberContext = { session: Session; role: Role; people: Database }

export type HostCookie = {
  /** Undefined if it is missing, or cannot be one of ours. */
  read(headers: IncomingHttpHeaders): string | undefined
  set(value: string, expiresAt: Date): string
  clear(): string
}

/** Of operations that belong to no organization. Those for ANYONE have no session. */
export type VisitorContext = {
  people: Database
  baseUrl: string
  /** The cookie's value, valid or not. */
  token: string | undefined
  address: string
  agent: string
  /** The browser, if it was signed in to any account before. */
  device: KnownDevice | undefined
  signIn(opened: OpenedSession): void
  /** From now on strangers' wrong passwords do not count for this browser. */
  knowBrowser(userUuid: string): void
  signOut(): void
  /** For cookies other than the session's. */
  readCookie(cookie: HostCookie): string | undefined
  setCookie(cookie: string): void
}
export type PersonContext = VisitorContext & { session: Session }

/** Who follows a stream, and after which message. */
export type Follow = FollowedSession & { userUuid: string; lastEventId: string; requestId: string }
/** A stream writes its response itself, or throws before anything is written. */
type StreamContext = { follow: Follow; response: ServerResponse }

type MemberPart<O> = O extends { who: Role } ? MemberContext : unknown
type OrganizationContext<O> = O extends { method: 'GET' } | { keepsNothing: true }
  ? ReadContext
  : O extends { waits: true }
    ? WaitingContext
    : WriteContext

export type ContextOf<O> = O extends { stream: object }
  ? StreamContext
  : O extends { who: 'ANYONE' }
    ? VisitorContext
    : O extends { who: 'PERSON' | 'OPERATOR' }
      ? PersonContext
      : OrganizationContext<O> & MemberPart<O>
export type PreparingContextOf<O> = ReadContext & MemberPart<O>
