// Creates a token that lets one probe join a region, once.
import { createHash, randomBytes } from 'node:crypto'
import { type AuthoritySeeds, joiningJwt } from '../../bus/authority.ts'
import { newSeed, publicKeyOf } from '../../bus/nats-jwt.ts'
import { encodeToken, type ProbeToken } from '../../bus/probe-token.ts'
import type { Tx } from '../../store/core/db.ts'
import { regionNo } from '../../store/history/results.ts'
import { insertToken } from '../../store/operating/probes.ts'

const SECRET_BYTES = 32

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
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  const expiresAt = new Date(tx.now.getTime() + draft.seconds * 1000)
  const { region, name, url, ca } = draft
  await regionNo(tx, region)
  const id = await insertToken(tx, { region, name, hash: hashOf(secret), expiresAt })
  const seed = newSeed('user')
  const joining = { inbox: `join-${id}`, publicKey: publicKeyOf(seed), expiresAt }
  return { url, ca, id, secret, seed, jwt: joiningJwt(seeds, joining, tx.now), expiresAt }
}

/** One line, to copy to the other machine. */
export function tokenText(token: ProbeToken): string {
  return encodeToken(token)
}

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
