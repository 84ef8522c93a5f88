// Passkeys in this browser. It converts the server's options itself. Answers are converted here, because those of some
// password managers cannot convert themselves.
import { callApi } from '../api/call.ts'
import type { ResponseOf } from '../api/contract.ts'
import { BrowserProblem } from '../api/problem.ts'
import { passkeysText } from '../messages/entry/passkeys.ts'

const text = passkeysText.browser

export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Whether the browser offers passkeys among the saved addresses of a field. */
export const canOfferPasskeys = async (): Promise<boolean> =>
  hasPasskeys() && ((await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false)

export async function createPasskey(options: ResponseOf<'POST /me/passkeys/begin'>) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const made = await navigator.credentials.create({ publicKey }).catch(explain(text.notCreated))
  // Safe because only a public key was requested.
  const { id, response } = made as PublicKeyCredential & {
    response: AuthenticatorAttestationResponse
  }
  return {
    id,
    clientDataJSON: toBase64Url(response.clientDataJSON),
    attestationObject: toBase64Url(response.attestationObject),
  }
}

type Asking = { mediation?: CredentialMediationRequirement; signal?: AbortSignal }

/** Asks the person, then the server. */
export async function signInWithPasskey(asking: Asking = {}): Promise<ResponseOf<'GET /session'>> {
  const options = await callApi('POST /session/passkey/begin', {})
  asking.signal?.throwIfAborted()
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const found = await navigator.credentials
    .get({ publicKey, ...asking })
    .catch(explain(text.canceled))
  // Safe because only a public key was requested.
  const { id, response } = found as PublicKeyCredential & {
    response: AuthenticatorAssertionResponse
  }
  const body = {
    id,
    clientDataJSON: toBase64Url(response.clientDataJSON),
    authenticatorData: toBase64Url(response.authenticatorData),
    signature: toBase64Url(response.signature),
    userHandle: toBase64Url(response.userHandle ?? new ArrayBuffer()),
  }
  return callApi('POST /session/passkey', { body })
}

const explain =
  (canceled: string) =>
  (error: unknown): never => {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'NotAllowedError') throw new BrowserProblem(canceled)
    if (name === 'InvalidStateError') throw new BrowserProblem(text.known)
    if (name === 'AbortError') throw error
    throw new BrowserProblem(text.failed)
  }

function toBase64Url(bytes: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
