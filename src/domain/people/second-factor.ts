// What a person can prove besides a password.

export const SECOND_FACTORS = ['AUTHENTICATOR', 'PASSKEY'] as const
export type SecondFactorKind = (typeof SECOND_FACTORS)[number]

type Credentials = { totpConfirmedAt: Date | null; passkeyCount: number }

export function secondFactorsOf({ totpConfirmedAt, passkeyCount }: Credentials) {
  const has = { AUTHENTICATOR: totpConfirmedAt !== null, PASSKEY: passkeyCount > 0 }
  return SECOND_FACTORS.filter((kind) => has[kind])
}

/** Whether a password alone does not sign the person in. */
export const hasSecondFactor = (credentials: Credentials): boolean =>
  secondFactorsOf(credentials).length > 0
