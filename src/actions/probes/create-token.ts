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
  const id = await insertToken(tx, { region, name, hash: hashToken(secret), expiresAt })
  const seed = newSeed('user')
  const joining = { inbox: `join-${id}`, publicKey: publicKeyOf(seed), expiresAt }
  return { url, ca, id, secret, seed, jwt: joiningJwt(seeds, joining, tx.now), expiresAt }
}

/** One line, to copy to the other machine. */
export function tokenText(token: ProbeToken): string {
  return encodeToken(token)
}
