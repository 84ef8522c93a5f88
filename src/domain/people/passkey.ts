// Passkeys: where they work, and when one is refused although its signature is right.

export const MAX_PASSKEYS = 10

/** The site that passkeys belong to: browsers use them nowhere else. */
export type PasskeySite = { id: string; origin: string }

/** Undefined where browsers refuse passkeys: at an address without a name, and over plain HTTP to another machine. */
export function passkeySiteOf(baseUrl: string): PasskeySite | undefined {
  const { protocol, hostname, origin } = new URL(baseUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isNumber = hostname.startsWith('[') || Number.isInteger(Number(hostname.split('.').at(-1)))
  if (isNumber || (protocol !== 'https:' && !isLocal)) return undefined
  return { id: hostname, origin }
}

/**
 * A passkey counts its signatures, or always reports 0. A count that does not grow means that a copy of the key signed
 * meanwhile.
 */
export function isCopied(stored: number, reported: number): boolean {
  return (stored > 0 || reported > 0) && reported <= stored
}

/** The ID of a person in a passkey: their UUID as bytes, in base64url. */
export const toUserHandle = (userUuid: string): string =>
  Buffer.from(userUuid.replaceAll('-', ''), 'hex').toString('base64url')
