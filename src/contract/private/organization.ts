// What members manage about their organization: its members and its keys.
import { ROLES } from '../../domain/people/role.ts'
import { closed, Deleted, input, nullable, oneOf, time } from '../schema.ts'
import { Type } from '../type.ts'
import { displayName } from './display-name.ts'
import { privateOperation } from './operation.ts'

const name = displayName
const role = oneOf(ROLES)

const Use = closed({ used: Type.Integer(), limit: nullable(Type.Integer()) })
export const Organization = closed({
  id: Type.String(),
  name: Type.String(),
  plan: Type.String(),
  subscription: Type.String(),
  role,
  /** Null: the time zone of each person's browser. */
  timezone: nullable(Type.String()),
  requiresSecondFactor: Type.Boolean(),
  usage: closed({
    monitors: Use,
    statusPages: Use,
    webhookEndpoints: Use,
    openWindows: Use,
  }),
  fastestIntervalSeconds: Type.Integer(),
  historyDays: nullable(Type.Integer()),
  /** Days after which single checks and entries of the audit log are deleted. */
  retention: closed({ checkDays: Type.Integer(), auditLogDays: Type.Integer() }),
})

export const getOrganization = privateOperation({
  id: 'getOrganization',
  method: 'GET',
  path: '',
  who: 'READ_ONLY',
  reply: { status: 200, body: Organization },
})

export const renameOrganization = privateOperation({
  id: 'renameOrganization',
  method: 'PATCH',
  path: '',
  who: 'ADMIN',
  body: { schema: input({ name }), required: true },
  reply: { status: 200, body: closed({ id: Type.String(), name: Type.String() }) },
})

const Member = closed({
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role,
  since: time(),
  /** Whether they sign in with a second factor. Null for callers who are not admins. */
  secondFactor: nullable(Type.Boolean()),
  /** Null without a session, and for callers who are not admins. Written once a minute. */
  lastSeenAt: nullable(time()),
})
const MemberParams = Type.Object({ userId: Type.String() })

export const listMembers = privateOperation({
  id: 'listMembers',
  method: 'GET',
  path: '/members',
  who: 'READ_ONLY',
  reply: { status: 200, body: closed({ data: Type.Array(Member) }) },
})

export const changeMemberRole = privateOperation({
  id: 'changeMemberRole',
  method: 'PATCH',
  path: '/members/{userId}',
  who: 'ADMIN',
  params: MemberParams,
  body: { schema: input({ role }), required: true },
  reply: { status: 200, body: closed({ id: Type.String(), role }) },
})

export const removeMember = privateOperation({
  id: 'removeMember',
  method: 'DELETE',
  path: '/members/{userId}',
  who: 'ADMIN',
  params: MemberParams,
  reply: { status: 200, body: Deleted },
})

/** Every member may leave, whatever their role. */
export const leaveOrganization = privateOperation({
  id: 'leaveOrganization',
  method: 'POST',
  path: '/leave',
  who: 'READ_ONLY',
  passes: ['SECOND_FACTOR', 'DELETION'],
  reply: { status: 200, body: Deleted },
})

const Invitation = closed({
  id: Type.String(),
  email: Type.String(),
  role,
  invitedBy: Type.String(),
  createdAt: time(),
  expiresAt: time(),
})

export const listInvitations = privateOperation({
  id: 'listInvitations',
  method: 'GET',
  path: '/invitations',
  who: 'ADMIN',
  reply: { status: 200, body: closed({ data: Type.Array(Invitation) }) },
})

/**
 * `link` is present, this once, if no email can be sent. Otherwise only the email contains it, so using it proves
 * access to the mailbox: no one can create an account for an address that is not theirs.
 */
export const inviteMember = privateOperation({
  id: 'inviteMember',
  method: 'POST',
  path: '/invitations',
  who: 'ADMIN',
  body: {
    schema: input({ email: Type.String({ minLength: 3, maxLength: 254 }), role }),
    required: true,
  },
  reply: {
    status: 201,
    body: closed({
      id: Type.String(),
      email: Type.String(),
      role,
      link: nullable(Type.String()),
      mailed: Type.Boolean(),
    }),
  },
})

export const revokeInvitation = privateOperation({
  id: 'revokeInvitation',
  method: 'DELETE',
  path: '/invitations/{invitationId}',
  who: 'ADMIN',
  params: Type.Object({ invitationId: Type.String() }),
  reply: { status: 200, body: Deleted },
})

const ACCESS = ['READ_ONLY', 'FULL'] as const
const KEY_STATES = ['ACTIVE', 'DISABLED', 'EXPIRED', 'REVOKED'] as const
export const Key = closed({
  id: Type.String(),
  name: Type.String(),
  access: oneOf(ACCESS),
  state: oneOf(KEY_STATES),
  last4: Type.String(),
  createdBy: nullable(Type.String()),
  createdAt: time(),
  expiresAt: nullable(time()),
  lastUsedAt: nullable(time()),
  /** Whether an assistant that connects over HTTP (MCP) may write with it. */
  mcpWrites: Type.Boolean(),
})
const KeyWithSecret = closed({ ...Key.properties, key: Type.String() })
const KeyParams = Type.Object({ keyId: Type.String() })
const expiresAt = nullable(time({ format: 'date-time', default: null }))

export const listKeys = privateOperation({
  id: 'listKeys',
  method: 'GET',
  path: '/keys',
  who: 'READ_ONLY',
  reply: { status: 200, body: closed({ data: Type.Array(Key) }) },
})

export const createKey = privateOperation({
  id: 'createKey',
  method: 'POST',
  path: '/keys',
  who: 'ADMIN',
  body: {
    schema: input({
      name,
      access: oneOf(ACCESS, { default: 'FULL' }),
      expiresAt,
      mcpWrites: Type.Boolean({ default: false }),
    }),
    required: true,
  },
  reply: { status: 201, body: KeyWithSecret },
})

export const updateKey = privateOperation({
  id: 'updateKey',
  method: 'PATCH',
  path: '/keys/{keyId}',
  who: 'ADMIN',
  params: KeyParams,
  body: {
    schema: input({
      name: Type.Optional(name),
      enabled: Type.Optional(Type.Boolean()),
      mcpWrites: Type.Optional(Type.Boolean()),
    }),
    required: true,
  },
  reply: { status: 200, body: Key },
})

export const revokeKey = privateOperation({
  id: 'revokeKey',
  method: 'DELETE',
  path: '/keys/{keyId}',
  who: 'ADMIN',
  params: KeyParams,
  reply: { status: 200, body: Deleted },
})

/** Creates a key with the name and access of the old one, which stays valid for the grace period. */
export const replaceKey = privateOperation({
  id: 'replaceKey',
  method: 'POST',
  path: '/keys/{keyId}/replace',
  who: 'ADMIN',
  params: KeyParams,
  body: {
    schema: input({
      graceHours: Type.Integer({ minimum: 0, maximum: 168, default: 24 }),
    }),
    required: true,
  },
  reply: { status: 201, body: KeyWithSecret },
})

/** Sends one email to the caller, straight through the relay, and returns the relay's own response. */
export const testEmail = privateOperation({
  id: 'testEmail',
  method: 'POST',
  waits: true,
  path: '/mail-tests',
  who: 'ADMIN',
  reply: {
    status: 200,
    body: closed({
      to: Type.String(),
      delivered: Type.Boolean(),
      /** The relay's last response; null if there was none. */
      answer: nullable(Type.String()),
      /** What went wrong; null if nothing did. */
      error: nullable(Type.String()),
      tookMs: Type.Integer(),
    }),
  },
})
