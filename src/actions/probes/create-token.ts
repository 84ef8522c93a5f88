// Creates a token that lets one probe join a region, once.
import { type AuthoritySeeds, joiningJwt } from '../../bus/authority.ts'
import { newSeed, publicKeyOf } from '../../bus/nats-jwt.ts'
import { encodeToken, type ProbeToken } from '../../bus/probe-token.ts'
import { hashToken, newToken } from '../../platform/crypto/token.ts'
import type { Tx } from '../../store/core/db.ts'
import { regionNo } from '../../store/history/results.ts'
import { insertToken } from '../../store/operating/probes.ts'

type TokenDraft = {
  region: string
  name: string | null
  seconds: number
  url: string
  ca: string
}

export async function createProbeToken(
  tx: Tx,
  seeds: AuthoritySeeds,
  draft: TokenDraft,
): Promise<ProbeToken & { expiresAt: Date }> {
  const secret = newToken()
  const expiresAt = new Date(tx.now.getTime() + draft.seconds * 1000)
  const { region, name, url, ca } = draft
  await regionNo(tx, region)
  const seed = newSeed('user')
  const publicKey = publicKeyOf(seed)
  const row = { region, name, hash: hashToken(secret), publicKey, expiresAt }
  const id = await insertToken(tx, row)
  const jwt = joiningJwt(seeds, { id, publicKey, expiresAt }, tx.now)
  return { format: 2, url, ca, id, secret, seed, jwt, expiresAt }
}

/** One line, to copy to the other machine. */
export function tokenText(token: ProbeToken): string {
  return encodeToken(token)
}
