// How people sign in, and what they manage about their own account.
import { ROLES } from '../../domain/people/role.ts'
import { SECOND_FACTORS } from '../../domain/people/second-factor.ts'
import { closed, input, nullable, oneOf, time } from '../schema.ts'
import { Type } from '../type.ts'
import { displayName } from './display-name.ts'
import { privateOperation } from './operation.ts'

const email = Type.String({ minLength: 3, maxLength: 254 })
// Only the format. The password rules report what is wrong with a new password.
const password = Type.String({ minLength: 1, maxLength: 1000 })
const token = Type.String({ minLength: 1, maxLength: 100 })
const code = Type.String({ minLength: 1, maxLength: 40 })
const timezone = Type.String({ minLength: 1, maxLength: 64 })
// Requested again before a change that outlives a session. Empty for a person without a password.
export const current = Type.String({ maxLength: 1000, default: '' })

export const Nothing = closed({})
const Person = closed({
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  /** In which emails to them write times. Null: that of their organization. */
  timezone: nullable(Type.String()),
  hasPassword: Type.Boolean(),
  /** Whether they can sign in through the identity provider. */
  isLinked: Type.Boolean(),
  /** Whether anything is asked for besides the password: an authenticator app or a passkey. */
  secondFactor: Type.Boolean(),
  hasAuthenticator: Type.Boolean(),
  recoveryCodesLeft: Type.Integer(),
  /** Whether they may open the operator's page. */
  isOperator: Type.Boolean(),
})
const OwnOrganization = closed({
  id: Type.String(),
  name: Type.String(),
  plan: Type.String(),
  role: oneOf(ROLES),
  /** Null: the time zone of each person's browser. */
  timezone: nullable(Type.String()),
  /** When it is erased, if an owner deleted it. Until then only undoing that works. */
  eraseAt: nullable(time()),
  /** Whether the person must set up a second factor before anything else works. */
  needsSecondFactor: Type.Boolean(),
})
/** How far a visitor is signed in: not at all, halfway, or fully. */
export const SignInStatus = closed({
  step: oneOf(['SET_UP', 'SIGN_IN', 'SECOND_FACTOR', 'SIGNED_IN'] as const),
  /** Its display name, if one is configured. `GET /app/sign-in/oidc` leads to it. */
  identityProvider: nullable(Type.String()),
  /** Whether a reset link can be emailed. */
  canMail: Type.Boolean(),
  /** Whether passkeys work at this server's address. */
  canPasskey: Type.Boolean(),
  /** What can be given besides the password, in the step `SECOND_FACTOR`. */
  secondFactors: Type.Array(oneOf(SECOND_FACTORS)),
})

export const getSignInStatus = privateOperation({
  id: 'getSignInStatus',
  method: 'GET',
  path: '/session',
  who: 'ANYONE',
  reply: { status: 200, body: SignInStatus },
})

export const signIn = privateOperation({
  id: 'signIn',
  method: 'POST',
  path: '/session',
  who: 'ANYONE',
  body: { schema: input({ email, password }), required: true },
  reply: { status: 200, body: SignInStatus },
})

export const verifySecondFactor = privateOperation({
  id: 'verifySecondFactor',
  method: 'POST',
  path: '/session/second-factor',
  who: 'ANYONE',
  body: { schema: input({ code }), required: true },
  reply: { status: 200, body: SignInStatus },
})

export const signOut = privateOperation({
  id: 'signOut',
  method: 'DELETE',
  path: '/session',
  who: 'ANYONE',
  reply: { status: 200, body: Nothing },
})

export const readSetup = privateOperation({
  id: 'readSetup',
  method: 'POST',
  path: '/setup/read',
  who: 'ANYONE',
  body: { schema: input({ token }), required: true },
  reply: {
    status: 200,
    /** Organizations without members, which the first person can own. */
    body: closed({
      organizations: Type.Array(closed({ id: Type.String(), name: Type.String() })),
    }),
  },
})

/** With either a name for a new organization, or the ID of one that `readSetup` listed. */
export const setUpInstallation = privateOperation({
  id: 'setUpInstallation',
  method: 'POST',
  path: '/setup',
  who: 'ANYONE',
  body: {
    schema: input({
      token,
      organization: Type.Optional(displayName),
      organizationId: Type.Optional(Type.String({ maxLength: 100 })),
      name: displayName,
      email,
      password,
    }),
    required: true,
  },
  reply: { status: 201, body: SignInStatus },
})

export const requestPasswordReset = privateOperation({
  id: 'requestPasswordReset',
  method: 'POST',
  path: '/password-resets',
  who: 'ANYONE',
  body: { schema: input({ email }), required: true },
  reply: { status: 200, body: Nothing },
})

export const resetPassword = privateOperation({
  id: 'resetPassword',
  method: 'POST',
  path: '/password-resets/complete',
  who: 'ANYONE',
  body: { schema: input({ token, password }), required: true },
  reply: { status: 200, body: Nothing },
})

/** A POST, because the token must not be part of the URL: URLs are logged along the way. */
export const readInvitation = privateOperation({
  id: 'readInvitation',
  method: 'POST',
  path: '/invitations/read',
  who: 'ANYONE',
  body: { schema: input({ token }), required: true },
  reply: {
    status: 200,
    body: closed({
      organization: Type.String(),
      email: Type.String(),
      role: oneOf(ROLES),
      invitedBy: Type.String(),
      hasAccount: Type.Boolean(),
    }),
  },
})

/** With a name and a password for a new person; without them for the person signed in. */
export const acceptInvitation = privateOperation({
  id: 'acceptInvitation',
  method: 'POST',
  path: '/invitations/accept',
  who: 'ANYONE',
  body: {
    schema: input({
      token,
      name: Type.Optional(displayName),
      password: Type.Optional(password),
    }),
    required: true,
  },
  reply: { status: 200, body: closed({ organizationId: Type.String() }) },
})

export const getMe = privateOperation({
  id: 'getMe',
  method: 'GET',
  path: '/me',
  who: 'PERSON',
  reply: {
    status: 200,
    body: closed({ person: Person, organizations: Type.Array(OwnOrganization) }),
  },
})

export const updateMe = privateOperation({
  id: 'updateMe',
  method: 'PATCH',
  path: '/me',
  who: 'PERSON',
  body: {
    schema: input({ name: displayName, timezone: Type.Optional(nullable(timezone)) }),
    required: true,
  },
  reply: { status: 200, body: Person },
})

export const changePassword = privateOperation({
  id: 'changePassword',
  method: 'POST',
  path: '/me/password',
  who: 'PERSON',
  body: {
    schema: input({ current, password }),
    required: true,
  },
  reply: { status: 200, body: Nothing },
})

export const beginSecondFactor = privateOperation({
  id: 'beginSecondFactor',
  method: 'POST',
  path: '/me/second-factor',
  who: 'PERSON',
  body: { schema: input({ current }), required: true },
  reply: {
    status: 200,
    body: closed({ secret: Type.String(), address: Type.String() }),
  },
})

export const confirmSecondFactor = privateOperation({
  id: 'confirmSecondFactor',
  method: 'POST',
  path: '/me/second-factor/confirm',
  who: 'PERSON',
  body: { schema: input({ code }), required: true },
  reply: { status: 200, body: closed({ recoveryCodes: Type.Array(Type.String()) }) },
})

export const removeSecondFactor = privateOperation({
  id: 'removeSecondFactor',
  method: 'POST',
  path: '/me/second-factor/remove',
  who: 'PERSON',
  body: { schema: input({ code }), required: true },
  reply: { status: 200, body: Nothing },
})

/** Returns the URL to go to: the provider identifies the person, and that identity is linked to this account. */
export const linkIdentity = privateOperation({
  id: 'linkIdentity',
  method: 'POST',
  path: '/me/identity',
  who: 'PERSON',
  body: { schema: input({ current }), required: true },
  reply: { status: 200, body: closed({ address: Type.String() }) },
})

export const unlinkIdentity = privateOperation({
  id: 'unlinkIdentity',
  method: 'DELETE',
  path: '/me/identity',
  who: 'PERSON',
  reply: { status: 200, body: Nothing },
})

const OwnSession = closed({
  id: Type.String(),
  address: Type.String(),
  agent: Type.String(),
  createdAt: time(),
  seenAt: time(),
  current: Type.Boolean(),
})

export const listSessions = privateOperation({
  id: 'listSessions',
  method: 'GET',
  path: '/me/sessions',
  who: 'PERSON',
  reply: { status: 200, body: closed({ data: Type.Array(OwnSession) }) },
})

export const endSession = privateOperation({
  id: 'endSession',
  method: 'DELETE',
  path: '/me/sessions/{sessionId}',
  who: 'PERSON',
  params: Type.Object({ sessionId: Type.String() }),
  reply: { status: 200, body: Nothing },
})

export const createOrganization = privateOperation({
  id: 'createOrganization',
  method: 'POST',
  path: '/organizations',
  who: 'PERSON',
  body: { schema: input({ name: displayName }), required: true },
  reply: { status: 201, body: OwnOrganization },
})
