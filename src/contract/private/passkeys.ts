// Passkeys: signing in with one, and a person's own list of them.
import { closed, input, nullable, time } from '../schema.ts'
import { Type } from '../type.ts'
import { current, Nothing, SignInStatus } from './account.ts'
import { displayName } from './display-name.ts'
import { privateOperation } from './operation.ts'

// In base64url. A browser's report has some 200 bytes, an answer with an RSA key some 1,000.
const MAX_CREDENTIAL_ID = 1364
const bytes = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/** What a browser needs to ask for a passkey, as `PublicKeyCredential.parseRequestOptionsFromJSON` reads it. */
const RequestOptions = closed({
  challenge: Type.String(),
  rpId: Type.String(),
  timeout: Type.Integer(),
  userVerification: Type.Literal('required'),
})

export const beginPasskeySignIn = privateOperation({
  id: 'beginPasskeySignIn',
  method: 'POST',
  path: '/session/passkey/begin',
  who: 'ANYONE',
  reply: { status: 200, body: RequestOptions },
})

export const signInByPasskey = privateOperation({
  id: 'signInByPasskey',
  method: 'POST',
  path: '/session/passkey',
  who: 'ANYONE',
  body: {
    schema: input({
      id: bytes(MAX_CREDENTIAL_ID),
      clientDataJSON: bytes(4096),
      authenticatorData: bytes(2048),
      signature: bytes(2048),
      userHandle: bytes(100),
    }),
    required: true,
  },
  reply: { status: 200, body: SignInStatus },
})

const Passkey = closed({
  id: Type.String(),
  name: Type.String(),
  createdAt: time(),
  lastUsedAt: nullable(time()),
})

export const listPasskeys = privateOperation({
  id: 'listPasskeys',
  method: 'GET',
  path: '/me/passkeys',
  who: 'PERSON',
  reply: { status: 200, body: closed({ data: Type.Array(Passkey) }) },
})

const credential = closed({ type: Type.Literal('public-key'), id: Type.String() })

/** As `PublicKeyCredential.parseCreationOptionsFromJSON` reads it. */
const CreationOptions = closed({
  challenge: Type.String(),
  rp: closed({ id: Type.String(), name: Type.String() }),
  user: closed({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(closed({ type: Type.Literal('public-key'), alg: Type.Integer() })),
  excludeCredentials: Type.Array(credential),
  authenticatorSelection: closed({
    residentKey: Type.Literal('required'),
    requireResidentKey: Type.Literal(true),
    userVerification: Type.Literal('required'),
  }),
  attestation: Type.Literal('none'),
  timeout: Type.Integer(),
})

export const beginPasskeyRegistration = privateOperation({
  id: 'beginPasskeyRegistration',
  method: 'POST',
  path: '/me/passkeys/begin',
  who: 'PERSON',
  /** The name is sent with the passkey; it is validated before a device is asked to create one. */
  body: { schema: input({ name: displayName, current }), required: true },
  reply: { status: 200, body: CreationOptions },
})

export const addPasskey = privateOperation({
  id: 'addPasskey',
  method: 'POST',
  path: '/me/passkeys',
  who: 'PERSON',
  body: {
    schema: input({
      name: displayName,
      id: bytes(MAX_CREDENTIAL_ID),
      clientDataJSON: bytes(4096),
      attestationObject: bytes(8192),
    }),
    required: true,
  },
  /** Empty if the person has codes already. */
  reply: { status: 201, body: closed({ recoveryCodes: Type.Array(Type.String()) }) },
})

/** Not DELETE, because the password is in the body. */
export const removePasskey = privateOperation({
  id: 'removePasskey',
  method: 'POST',
  path: '/me/passkeys/{passkeyId}/remove',
  who: 'PERSON',
  params: Type.Object({ passkeyId: Type.String() }),
  body: { schema: input({ current }), required: true },
  reply: { status: 200, body: Nothing },
})
