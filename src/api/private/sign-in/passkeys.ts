// Signing in with a passkey, and a person's own list of them.
import { addPasskey, removePasskey, requireRoom } from '../../../actions/people/change-passkeys.ts'
import { newChallenge } from '../../../actions/people/passkey-challenges.ts'
import { proveAgain } from '../../../actions/people/prove-again.ts'
import { signInByPasskey } from '../../../actions/people/sign-in-by-passkey.ts'
import * as contract from '../../../contract/private/passkeys.ts'
import { type PasskeySite, passkeySiteOf, toUserHandle } from '../../../domain/people/passkey.ts'
import { CHALLENGE_SECONDS } from '../../../domain/people/passkey-challenge.ts'
import { fromPublicId, toPublicId } from '../../../domain/values/id.ts'
import { ApiError } from '../../../platform/api-error.ts'
import { PASSKEY_ALGORITHMS } from '../../../platform/crypto/passkey.ts'
import { newToken } from '../../../platform/crypto/token.ts'
import type { Log } from '../../../platform/observability/log.ts'
import { listCredentialIds, listPasskeys } from '../../../store/people/passkeys.ts'
import type { PeopleSecrets } from '../../../store/people/people-secrets.ts'
import type { User } from '../../../store/people/users.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'
import { userOf } from '../session-user.ts'
import type { NotifyOwner } from './account-notices.ts'
import { hostCookie } from './session-cookie.ts'
import { clientOf, startSession, type ToSignInStatus } from './sign-in.ts'

const PRODUCT = 'Upvane'
const TIMEOUT_MS = CHALLENGE_SECONDS * 1000

type PasskeyDeps = {
  peopleSecrets: PeopleSecrets
  toSignInStatus: ToSignInStatus
  notifyOwner: NotifyOwner
  baseUrl: string
  log: Log
}

export function passkeyOperations(deps: PasskeyDeps): readonly BoundOperation[] {
  return [...signInOperations(deps), ...ownOperations(deps)]
}

function signInOperations(deps: PasskeyDeps): readonly BoundOperation[] {
  const { peopleSecrets: secrets, toSignInStatus, baseUrl, log } = deps
  // Binds a challenge to the browser that asked for it. It stays the same, so that two tabs can ask.
  const cookie = hostCookie(baseUrl, 'upvane-passkey', /^[A-Za-z0-9_-]{43}$/)

  const begin: Handler<typeof contract.beginPasskeySignIn> = async (_input, visit) => {
    const site = siteOf(baseUrl)
    const browser = visit.readCookie(cookie) ?? newToken()
    const use = { purpose: 'SIGN_IN' as const, browser }
    const challenge = await newChallenge({ people: visit.people, secrets }, use)
    visit.setCookie(cookie.set(browser, new Date(Date.now() + TIMEOUT_MS)))
    return { challenge, rpId: site.id, timeout: TIMEOUT_MS, userVerification: 'required' }
  }

  const signIn: Handler<typeof contract.signInByPasskey> = async ({ body }, visit) => {
    const site = siteOf(baseUrl)
    const asked = { answer: body, browser: visit.readCookie(cookie) ?? '' }
    const onCopied = ({ uuid, userUuid }: { uuid: string; userUuid: string }) =>
      log.warn(
        { passkeyId: toPublicId('pky', uuid), userId: toPublicId('usr', userUuid) },
        'passkey refused: its signature counter did not increase, so it may have been copied',
      )
    const own = { people: visit.people, secrets, site, onCopied }
    const opened = await signInByPasskey(own, asked, clientOf(visit))
    return toSignInStatus(startSession(visit, opened))
  }

  return [bind(contract.beginPasskeySignIn, begin), bind(contract.signInByPasskey, signIn)]
}

function ownOperations(deps: PasskeyDeps): readonly BoundOperation[] {
  const { peopleSecrets: secrets, notifyOwner, baseUrl } = deps

  const begin: Handler<typeof contract.beginPasskeyRegistration> = async ({ body }, visit) => {
    const { people, session } = visit
    const site = siteOf(baseUrl)
    const user = await userOf(visit)
    await proveAgain(people, user, body.current, visit)
    requireRoom(user.passkeyCount)
    const use = { purpose: 'ADD' as const, browser: session.uuid }
    const challenge = await newChallenge({ people, secrets }, use)
    const known = await listCredentialIds(people, user.uuid)
    return toCreationOptions(site, user, { challenge, known })
  }

  const add: Handler<typeof contract.addPasskey> = async ({ body }, visit) => {
    const { people, session } = visit
    const { name, ...answer } = body
    const userUuid = session.user.uuid
    const adding = { userUuid, sessionUuid: session.uuid, name, answer }
    const own = { people, secrets, site: siteOf(baseUrl) }
    const { codes, opened } = await addPasskey(own, adding, clientOf(visit))
    startSession(visit, opened)
    await notifyOwner(visit, userUuid, 'PASSKEY_ADDED')
    return { recoveryCodes: codes }
  }

  const remove: Handler<typeof contract.removePasskey> = async ({ params, body }, visit) => {
    const { people } = visit
    const user = await userOf(visit)
    await proveAgain(people, user, body.current, visit)
    const uuid = fromPublicId('pky', params.passkeyId)
    if (uuid === undefined) throw new ApiError('not_found', 'There is no such passkey.')
    const removed = { userUuid: user.uuid, uuid }
    startSession(visit, await removePasskey(people, removed, clientOf(visit)))
    await notifyOwner(visit, user.uuid, 'PASSKEY_REMOVED')
    return {}
  }

  return [
    bind(contract.listPasskeys, list),
    bind(contract.beginPasskeyRegistration, begin),
    bind(contract.addPasskey, add),
    bind(contract.removePasskey, remove),
  ]
}

const list: Handler<typeof contract.listPasskeys> = async (_input, { people, session }) => {
  const passkeys = await listPasskeys(people, session.user.uuid)
  return {
    data: passkeys.map(({ uuid, name, createdAt, lastUsedAt }) => ({
      id: toPublicId('pky', uuid),
      name,
      createdAt,
      lastUsedAt,
    })),
  }
}

function toCreationOptions(
  { id }: PasskeySite,
  { uuid, email, name }: User,
  { challenge, known }: { challenge: string; known: readonly Buffer[] },
) {
  const type = 'public-key' as const
  return {
    challenge,
    rp: { id, name: PRODUCT },
    user: { id: toUserHandle(uuid), name: email, displayName: name },
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type, alg })),
    excludeCredentials: known.map((bytes) => ({ type, id: bytes.toString('base64url') })),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true as const,
      userVerification: 'required' as const,
    },
    attestation: 'none' as const,
    timeout: TIMEOUT_MS,
  }
}

function siteOf(baseUrl: string): PasskeySite {
  const site = passkeySiteOf(baseUrl)
  if (site === undefined)
    throw new ApiError(
      'conflict',
      'Passkeys need a server with a domain name and https. Ask the person who runs this server.',
    )
  return site
}
