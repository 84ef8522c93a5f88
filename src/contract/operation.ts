// One operation of an API. Routes, validation, handler types, the Allow table, openapi.json and the reference are all
// generated from these objects.
import type { Static, TProperties, TSchema } from 'typebox'
import type { Gate } from '../domain/people/organization-gate.ts'
import type { Role } from '../domain/people/role.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Any object schema. TypeBox's own bare `TObject` would fix the number of required names. */
export type ObjectSchema = TSchema & {
  type: 'object'
  properties: TProperties
  required?: readonly string[] | undefined
}

type BaseBody = {
  schema: ObjectSchema
  /** A request without a required body is rejected. An optional body may be absent altogether. */
  required: boolean
  /** May be longer than others. */
  isLong?: true
  /** How many values, names and brackets the largest valid body has, if rules allow fewer than the schema. */
  mostTokens?: number
}
type Body = BaseBody & { example: unknown }

type Reply = { status: 200 | 201; description: string; body: TSchema; example: unknown }

/**
 * A role means: a member of the organization in the path with at least that role. OPERATOR: an operator of this
 * installation who has a second factor and signed in moments ago.
 */
export type Who = 'ANYONE' | 'PERSON' | 'OPERATOR' | Role

/** A file of rows has columns, and one of JSON values, a line each, has the types of its lines. */
type BaseReply = {
  status: 200 | 201
  body: TSchema
  columns?: readonly string[]
  types?: readonly string[]
}

/** An operation of the public API, of the extension API or of the dashboard's private API. */
export type BaseOperation = {
  id: string
  method: Method
  path: string
  params?: ObjectSchema
  query?: ObjectSchema
  body?: BaseBody
  reply: BaseReply
  /** Where an API shows what this creates, if that is not below its own path. */
  shownAt?: string
  /** A write that waits on the network, and holds no transaction meanwhile. */
  waits?: true
  /** Continues a write that is in the audit log already. */
  continues?: true
  /** Who may call it in the dashboard. */
  who?: Who
  /** The closed gates of an organization that it works behind, so that nobody is stuck there. */
  passes?: readonly Gate[]
  /** Whether members are refused without an active subscription, as keys are. */
  needsSubscription?: boolean
  /** Has a body but changes nothing: handled like a read, and not in the audit log. */
  keepsNothing?: true
  /** Responds with an event stream: the schema of each message, by name. */
  stream?: Readonly<Record<string, TSchema>>
  /** What a 404 calls missing, if that is not what the parameter refers to. */
  missing?: string
}

/** An operation for keys, with what the reference says about it. */
export type DocumentedOperation = BaseOperation & {
  tag: string
  summary: string
  description?: string
  body?: Body
  reply: Reply
}

/** An operation of the public API. */
export type Operation = DocumentedOperation & { path: `/api/v1/${string}` }

type StaticOf<S> = S extends TSchema ? Static<S> : undefined
type BodyOf<B> = B extends { schema: infer S; required: infer R }
  ? R extends true
    ? StaticOf<S>
    : StaticOf<S> | undefined
  : undefined

export type OperationInput<O extends BaseOperation> = {
  params: StaticOf<O['params']>
  query: StaticOf<O['query']>
  body: BodyOf<O['body']>
}
export type OperationOutput<O extends BaseOperation> = Static<O['reply']['body']>

/** What a handler gets of it: every time is a Date, and ids of the path and of filters are UUIDs. */
export type HandlerInput<O extends BaseOperation> = {
  params: StaticOf<O['params']>
  query: WithDates<StaticOf<O['query']>>
  body: WithDates<BodyOf<O['body']>>
}

/** What a handler returns for it: every time is a Date. */
export type HandlerOutput<O extends BaseOperation> = WithDates<OperationOutput<O>>

export type WithDates<T> = T extends string
  ? 'time' extends keyof T
    ? Date
    : T
  : T extends readonly unknown[] | object
    ? { [K in keyof T]: WithDates<T[K]> }
    : T

export const operation = <const O extends Operation>(o: O): O => o

/** Every method but GET changes something and is off limits to read-only callers. */
export const isWrite = (o: BaseOperation): boolean => o.method !== 'GET'
