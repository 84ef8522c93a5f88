import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const SUMS = 'SHA256SUMS'

export const sha256 = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex')

/** The hash of each file of a release, by name in alphabetical order. */
export function hashFiles(directory: string): Map<string, string> {
  const files = readdirSync(directory).filter((file) => file !== SUMS && !file.startsWith('.'))
  return new Map(
    files.toSorted().map((file) => [file, sha256(readFileSync(join(directory, file)))]),
  )
}

/** Writes checksums in the format of `sha256sum --check`, and returns them. */
export function writeChecksums(directory: string, hashes: ReadonlyMap<string, string>): string {
  const lines = [...hashes.keys()].toSorted().map((file) => `${hashes.get(file)}  ${file}\n`)
  writeFileSync(join(directory, SUMS), lines.join(''))
  return lines.join('').trimEnd()
}
