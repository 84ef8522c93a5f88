// What a handler gets, by who may call its operation: keys of an organization, its members, people, or anyone.
import type { IncomingHttpHeaders } from 'node:http'
import type { OpenedSession } from '../../actions/people/open-session.ts'
import type { Role } from '../../domain/people/role.ts'
import type { KnownDevice, Session } from '../../domain/people/session.ts'
import type { Database } from '../../store/core/db.ts'
import type { Tenant, Tenants, TenantTx } from '../../store/core/tenants.ts'
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

type MemberPart<O> = O extends { who: Role } ? MemberContext : unknown
type ReadOrWrite<O> = O extends { method: 'GET' } | { keepsNothing: true }
  ? ReadContext
  : WriteContext

export type ContextOf<O> = O extends { who: 'ANYONE' }
  ? VisitorContext
  : O extends { who: 'PERSON' | 'OPERATOR' }
    ? PersonContext
    : ReadOrWrite<O> & MemberPart<O>
export type PreparingContextOf<O> = ReadContext & MemberPart<O>
export type WritingContextOf<O> = WriteContext & MemberPart<O>
export type WaitingContextOf<O> = WaitingContext & MemberPart<O>
