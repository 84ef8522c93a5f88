// Deterministic randomness: a function of a seed and a salt, the same in every run.
import { createHash } from 'node:crypto'

const SEED = 'acme'

function digest(salt: string): Buffer {
  return createHash('sha256').update(`${SEED} ${salt}`).digest()
}

/** From 0 up to, but not including, 1. */
export const chance = (salt: string): number => digest(salt).readUInt32BE() / 2 ** 32

export const between = (salt: string, least: number, most: number): number =>
  Math.floor(least + chance(salt) * (most - least + 1))

export function pick<T>(salt: string, list: readonly T[]): T {
  const found = list[Math.floor(chance(salt) * list.length)]
  if (found === undefined) throw new Error(`Nothing to pick for ${salt}`)
  return found
}

/** An id like the product's: its time first, the rest looks random. */
export function uuidAt(at: Date, salt: string): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  const rest = digest(salt).toString('hex')
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${rest.slice(0, 3)}`,
    `8${rest.slice(3, 6)}`,
    rest.slice(6, 18),
  ].join('-')
}
