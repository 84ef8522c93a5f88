// Proves that two processes belong to the same installation, without showing anything of its keys.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { MasterKeys } from './encryption.ts'

export const INSTALLATION_PATH = '/.well-known/upvane-installation'

const KEY_BYTES = 32
const CHALLENGE = /^[0-9a-f]{32}$/

export const isChallenge = (text: string): boolean => CHALLENGE.test(text)

export function installationProof(keys: MasterKeys, challenge: string): string {
  const master = keys.byId.get(keys.current)
  if (master === undefined) throw new Error('No current master key')
  return sign(master, challenge).toString('hex')
}

/** The other process may have another one of our keys first, while a key is replaced. */
export function isOwnProof(keys: MasterKeys, challenge: string, proof: string): boolean {
  const given = Buffer.from(proof, 'hex')
  return keys.byId.values().some((master) => {
    const own = sign(master, challenge)
    return own.length === given.length && timingSafeEqual(own, given)
  })
}

function sign(master: Buffer, challenge: string): Buffer {
  const key = hkdfSync('sha256', master, '', 'upvane installation', KEY_BYTES)
  return createHmac('sha256', Buffer.from(key)).update(challenge).digest()
}
