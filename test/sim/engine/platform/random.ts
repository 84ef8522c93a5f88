// Randomness of the simulated processes: repeatable, from one seed. The product's own code is unchanged; Node's source of
// random bytes is replaced while a simulation runs.
import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { Rng } from '../../rng.ts'

const require = createRequire(import.meta.url)
const crypto = require('node:crypto') as Record<string, unknown>
const real = { randomBytes: crypto['randomBytes'], randomUUID: crypto['randomUUID'] }
const realRandom = Math.random

type OnBytes = (error: null, bytes: Buffer) => void

export function installRandom(rng: Rng): void {
  const randomBytes = (size: number, callback?: OnBytes) => {
    const bytes = Buffer.alloc(size)
    for (let i = 0; i < size; i++) bytes[i] = rng.int(0, 255)
    if (callback === undefined) return bytes
    process.nextTick(callback, null, bytes)
    return undefined
  }
  const randomUUID = () => {
    const hex = (randomBytes(16) as Buffer).toString('hex')
    const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`]
    return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-')
  }
  Math.random = () => rng.next()
  Object.assign(crypto, { randomBytes, randomUUID })
  syncBuiltinESMExports()
}

export function uninstallRandom(): void {
  Math.random = realRandom
  Object.assign(crypto, real)
  syncBuiltinESMExports()
}
